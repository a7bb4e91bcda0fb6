#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: python.sh
# The Python module says what the command says.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

solve_record solve.42.bcs
"$BCS_BUILD/tests/cli/synth_trace" trace.1.bcs 3 20
"$BCS_BUILD/tests/cli/synth_slices" fixed slices.1.bcs

export BCS_COMMAND="$bcs" PYTHONPATH="$BCS_SOURCE/analyzer/python"
export PYTHONDONTWRITEBYTECODE=1
# Debian's Python has pandas and matplotlib, whatever python3 is.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$bcs" report --csv --section=ranks solve.42.bcs >ranks.csv
"$python" - <<'EOF' || fail "the module bcs"
import csv
import json
import os
import subprocess

import bcs


def printed(*words):
    words = (os.environ["BCS_COMMAND"],) + words
    return subprocess.run(words, check=True, capture_output=True).stdout.decode()


def raised(text, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except bcs.Error as error:
        assert text in str(error), error
        return
    raise AssertionError(f"nothing was raised: {text}")


assert bcs.report("solve.42.bcs") == json.loads(
    printed("report", "--json", "solve.42.bcs")
)
ranks = bcs.table("ranks", "solve.42.bcs")
with open("ranks.csv") as lines:
    expected = list(csv.DictReader(lines))
assert len(ranks) == len(expected) > 1
for rank, row in zip(ranks, expected):
    assert rank["wall_ns"] == int(row["wall_ns"])
    assert rank["communication_percent"] == float(row["communication_percent"])
    assert rank["host"] == row["host"]
    assert (rank["exit_status"] is None) == (row["exit_status"] == "")
assert [r["rank"] for r in bcs.table("ranks", "solve.42.bcs", rank=1)] == [1]

for function, record, verb in (
    (bcs.trace, "trace.1.bcs", "export"),
    (bcs.slices, "slices.1.bcs", "slices --csv"),
):
    rows = function(record)
    assert len(rows) == printed(*verb.split(), record).count("\n") - 1 > 1
    assert all(isinstance(row["rank"], int) for row in rows)

raised("none.bcs", bcs.report, "none.bcs")
raised("--section=sitez", bcs.table, "sitez", "solve.42.bcs")
raised("has no slices", bcs.slices, "solve.42.bcs")
raised("no option --wrong", bcs.report, "solve.42.bcs", wrong=True)
os.environ["BCS_COMMAND"] = "/nowhere/bcs"
raised("/nowhere/bcs: No such file", bcs.report, "solve.42.bcs")
try:
    import pandas
except ImportError:
    print("SKIP: there is no pandas: bcs.frame is not tested")
else:
    assert list(bcs.frame(ranks)["rank"]) == [r["rank"] for r in ranks]
EOF

if "$python" -c 'import matplotlib' 2>/dev/null; then
	"$python" "$PYTHONPATH/plot_ranks.py" solve.42.bcs ranks.png ||
		fail "the example"
	[ -s ranks.png ] || fail "the example drew nothing"
else
	echo "SKIP: there is no matplotlib: the example is not tested"
fi
