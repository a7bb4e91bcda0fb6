#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the manual page of a public header from its comments.

usage: gen_man3.py OUTPUT HEADER VERSION LIBRARY SUMMARY

A comment between two declarations is a paragraph before the second one; the first
comment is the description.  Declarations stay as they are.
"""
import os
import re
import sys

from roff import say


def code(text):
    lines = "\n".join(say(line) for line in text.strip("\n").splitlines())
    return f".PP\n.nf\n{lines}\n.fi\n"


def prose(comment):
    """A comment without its frame; lines after a tab are an example."""
    lines = [re.sub(r"^ ?\* ?", "", line).rstrip()
             for line in comment[2:-2].strip("\n").splitlines()]
    out = ".PP\n"
    example = False
    for line in lines:
        if line.startswith("\t") != example:
            example = not example
            out += ".RS\n.nf\n" if example else ".fi\n.RE\n"
        if line.strip():
            out += say(line.strip()) + "\n"
        elif not out.endswith(".PP\n"):
            out += ".PP\n"
    return out + (".fi\n.RE\n" if example else "")


def is_frame(line):
    """What tells a reader of the page nothing."""
    return re.match(r'#|extern "C"|\}$', line)


def declarations(text):
    kept = "\n".join(line for line in text.splitlines() if not is_frame(line)
                     or re.match(r"#define \w+ +\S", line)
                     and "__attribute__" not in line)
    kept = kept.replace("BCS_EXPORT ", "")
    return re.sub(r"\n{3,}", "\n\n", kept)


def body(header):
    text = re.sub(r"\A/\*.*?\*/\n", "", header)
    # A comment at the left margin is prose; others belong to a declaration.
    parts = re.split(r"^(/\*.*?\*/)$", text, flags=re.S | re.M)
    out = ""
    for part in parts:
        if part.startswith("/*"):
            out += prose(part)
        elif declarations(part).strip():
            out += code(declarations(part))
    return out


def main():
    output, header, version, library, summary = sys.argv[1:]
    name = os.path.basename(header)
    with open(header) as file:
        described = body(file.read())
    with open(output, "w") as file:
        file.write(
            '.\\" SPDX-License-Identifier: BSD-3-Clause\n'
            f'.\\" Made by gen_man3.py from {name}.\n'
            f'.TH {name.upper()} 3 "" "bcs {version}" "Library Functions"\n'
            f".SH NAME\n{name} \\- {say(summary)}\n"
            f".SH SYNOPSIS\n.nf\n#include <{name}>\n.PP\n"
            f"cc \\&... `pkg\\-config \\-\\-cflags \\-\\-libs {library}`\n.fi\n"
            f".SH DESCRIPTION\n{described}"
            ".SH SEE ALSO\n.BR bcs (1)\n")


main()
