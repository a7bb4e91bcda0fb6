#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a manual page from the help of the command.

usage: gen_man.py OUTPUT BCS VERSION NOTES

OUTPUT names the page: bcs.1, bcs-VERB.1 or bcs-environment.7.  The summary, the
usage and the options are those that BCS prints, which has them from its tables.
NOTES (/dev/null: none) is roff that is written by hand, for what the help is too
short for.  `.OPTION NAME` in it begins what is said of an option; `.VERBS` and
`.VARIABLES` stand for the lists of verbs and settings.
"""
import os
import re
import subprocess
import sys

from roff import kept, say


def ask(bcs, *words):
    return subprocess.run([bcs, "help", *words], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def verbs_of(text):
    """(name, summary) of each line of the list of verbs."""
    part = re.search(r"^verbs:\n(.*?)(?:\n\n|\Z)", text, re.S | re.M)
    return re.findall(r"^  (\S+) +(.*)$", part[1], re.M) if part else []


def options_of(text):
    """(tag, name, description) of each option."""
    options = []
    for line in text.split("\noptions:\n", 1)[1].splitlines():
        row = re.match(r"  ((?:-., |    )--([a-z-]+)\S*) *(.*)", line)
        if row:
            options.append([row[1].strip(), row[2], row[3]])
        else:
            options[-1][2] += " " + line.strip()
    return [(tag, name, doc.strip()) for tag, name, doc in options]


def read_notes(path):
    """What is written by hand: the text, and a text for each option."""
    text, *options = re.split(r"^\.OPTION (.*)\n", open(path).read(),
                              flags=re.M)
    text = "".join(line for line in text.splitlines(True)
                   if not line.startswith('.\\" SPDX'))
    return text, dict(zip(options[::2], options[1::2]))


def head(name, section, version, summary):
    manual = {"1": "User Commands", "7": "Miscellaneous"}[section]
    return ('.\\" SPDX-License-Identifier: BSD-3-Clause\n'
            '.\\" Made by gen_man.py from the help of bcs.\n'
            f'.TH {name.upper()} {section} "" "bcs {version}" "{manual}"\n'
            ".ad l\n"
            f".SH NAME\n{say(name)} \\- {say(summary)}\n")


def synopsis(usage):
    lines = [line.strip() for line in usage.removeprefix("usage:").splitlines()]
    out = ".SH SYNOPSIS\n"
    for at, line in enumerate(lines):
        command = re.match(r"bcs(?: [a-z]+)*(?= |$)", line)[0]
        out += (".br\n" if at else "") + f".B {say(command)}\n"
        rest = line[len(command):].strip()
        out += f"{say(rest)}\n" if rest else ""
    return out


def about(text):
    """Paragraphs of the help; lines that are indented stay as they are."""
    out = ""
    for paragraph in text.strip("\n").split("\n\n"):
        out += ".PP\n" if out else ""
        for run in re.findall(r"(?:^ .*\n?)+|(?:^[^ ].*\n?)+", paragraph, re.M):
            lines = "".join(say(re.sub(" +", " ", line.rstrip()) if run[0] != " "
                                else line.strip()) + "\n"
                            for line in run.splitlines())
            out += kept(lines) if run[0] == " " else lines
    return out


def list_options(options, notes):
    out = ""
    for tag, name, doc in options:
        out += f".TP\n.B {say(tag)}\n{say(doc)}\n"
        if name in notes:
            out += ".IP\n" + notes.pop(name)
    if notes:
        sys.exit(f"gen_man.py: no option --{', --'.join(notes)}")
    return out


def list_verbs(verbs, prefix):
    return "".join(f".TP\n.BR {say(prefix + name)} (1)\n{say(summary)}\n"
                   for name, summary in verbs if name != "help")


def see_also(*pages):
    rows = [f".BR {say(name)} ({section})" for name, section in pages]
    return ".SH SEE ALSO\n" + ",\n".join(rows) + "\n"


def page_bcs(bcs, version, notes):
    text = ask(bcs)
    summary = "record what an MPI program spends its time on, and show it"
    verbs = (".SH VERBS\n" + list_verbs(verbs_of(text), "bcs-") +
             ".SH OPTIONS\n" + list_options(options_of(text), {}))
    return (head("bcs", "1", version, summary) +
            ".SH SYNOPSIS\n.B bcs\n.I VERB\n[options] ...\n"
            ".SH DESCRIPTION\n" + notes[0].replace(".VERBS\n", verbs) +
            see_also(("bcs-environment", 7), ("bcs.h", 3), ("mpib.h", 3),
                     ("mpiexec", 1)))


def summary_of(bcs, verb):
    outer = ask(bcs, *verb[:-1])
    return dict(verbs_of(outer))[verb[-1]]


def page_verb(bcs, version, notes, verb):
    text = ask(bcs, *verb)
    usage, rest = text.split("\n\n", 1)
    rest, *verbs = re.split(r"\n(?=verbs:\n)",
                            rest.split("\noptions:\n", 1)[0])
    name = "-".join(["bcs", *verb])
    out = head(name, "1", version, summary_of(bcs, verb))
    out += synopsis(usage) + ".SH DESCRIPTION\n" + about(rest)
    out += ".PP\n" + notes[0] if notes[0] else ""
    if verbs:
        out += ".SH VERBS\n" + list_verbs(verbs_of(verbs[0]), name + "-")
    out += ".SH OPTIONS\n" + list_options(options_of(text), notes[1])
    outer = [("-".join(["bcs", *verb[:-1]]), 1)] if verb[1:] else []
    return out + see_also(("bcs", 1), *outer, ("bcs-environment", 7))


def page_environment(bcs, version, notes):
    settings = [option for option in options_of(ask(bcs, "run"))
                if option[1] != "help"]
    rows = "".join(
        ".TP\n.B BCS_" + name.upper().replace("-", "_") + f"\n{say(doc)}\n"
        for _, name, doc in settings)
    return (head("bcs-environment", "7", version,
                 "environment variables of bcs and its preload") +
            ".SH DESCRIPTION\n" +
            notes[0].replace(".VARIABLES\n", ".SH VARIABLES\n" + rows) +
            see_also(("bcs", 1), ("bcs-run", 1)))


def main():
    output, bcs, version, notes = sys.argv[1:]
    notes = read_notes(notes)
    name = os.path.basename(output).rsplit(".", 1)[0]
    if name == "bcs":
        page = page_bcs(bcs, version, notes)
    elif name == "bcs-environment":
        page = page_environment(bcs, version, notes)
    else:
        page = page_verb(bcs, version, notes, name.split("-")[1:])
    with open(output, "w") as file:
        file.write(page)


main()
