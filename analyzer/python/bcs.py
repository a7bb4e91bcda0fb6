# SPDX-License-Identifier: BSD-3-Clause
"""What bcs recorded, as Python data.

    import bcs

    run = bcs.report("app.4711.bcs")["runs"][0]
    print(run["run"]["wall_ns"])
    for site in bcs.table("sites", "app.4711.bcs"):
        print(site["site"], site["total_ns"])
    bcs.frame(bcs.trace("app.4711.bcs")).groupby("call")["time_ns"].sum()

Each function asks the command bcs, and takes the folder of a record; without one
the newest *.bcs of the current folder.  Tables are lists of dicts: numbers are int
or float, whatever looks like one is, and an empty field is None.  The command is the one that BCS_COMMAND names,
or that of the build this file lies in, or the first on the PATH.
"""

import contextlib
import csv
import json
import os
import re
import shutil
import subprocess
import tempfile

__all__ = ["Error", "report", "table", "slices", "trace", "frame"]


_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


class Error(Exception):
    """What the command bcs said on stderr when it failed."""


def _command():
    named = os.environ.get("BCS_COMMAND")
    if named:
        return named
    here = os.path.dirname(os.path.abspath(__file__))
    built = os.path.join(here, "..", "..", "build", "analyzer", "bcs")
    found = built if os.access(built, os.X_OK) else shutil.which("bcs")
    if not found:
        raise Error("there is no command bcs on the PATH (BCS_COMMAND names it)")
    return found


def _arguments(verb, options, record):
    words = [_command(), verb]
    for name, value in options.items():
        name = "--" + name.replace("_", "-")
        if value is True:
            words.append(name)
        elif value is not None and value is not False:
            words.append(f"{name}={value}")
    if record is not None:
        words += ["--", os.fspath(record)]
    return words


@contextlib.contextmanager
def _output(verb, options, record):
    """What the command prints; raises what it says if it fails."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        try:
            process = subprocess.Popen(
                _arguments(verb, options, record),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                encoding="utf-8",
            )
        except OSError as error:
            raise Error(f"{error.filename}: {error.strerror}") from error
        with process:
            yield process.stdout
        if process.returncode != 0:
            errors.seek(0)
            raise Error(errors.read().strip() or f"status {process.returncode}")


def _value(text):
    if text == "":
        return None
    if _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text


def _rows(verb, options, record):
    with _output(verb, options, record) as lines:
        return [
            {name: _value(text) for name, text in row.items()}
            for row in csv.DictReader(lines)
        ]


def report(record=None, **options):
    """The whole report: what `bcs report --json` prints.

    Options are those of the command: report(rank="0,4-7", primitive="MPI_I*").
    """
    with _output("report", {"json": True, **options}, record) as text:
        whole = text.read()
    return json.loads(whole)


def table(section, record=None, **options):
    """One section of the report, such as "sites", "ranks" or "primitives"."""
    return _rows("report", {"csv": True, "section": section, **options}, record)


def slices(record=None, **options):
    """A row for each slice of each process (BCS_EMDS=on)."""
    return _rows("slices", {"csv": True, **options}, record)


def trace(record=None, **options):
    """A row for each call of each thread (bcs run --trace)."""
    return _rows("export", {"format": "csv", **options}, record)


def frame(rows):
    """The rows as a DataFrame of pandas, which has to be installed."""
    import pandas

    return pandas.DataFrame(rows)
