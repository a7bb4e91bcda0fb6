# SPDX-License-Identifier: BSD-3-Clause
"""Reads of a module file of gfortran the procedures and their arguments.

The file is compressed text: nested lists, one of which has the symbols, each a
number, a name, its module, a label, its parent and a body.  The body is another
list: attributes, components, type, ..., formal arguments, array bounds, ...
"""
import gzip
import re
import sys
import zlib
from dataclasses import dataclass

VERSIONS = ("15", "16")     # GCC 8 to 14, and GCC 15
TOKEN = re.compile(r"[()]|'(?:[^']|'')*'|[^\s()']+")


@dataclass
class Dummy:            # an argument of a procedure
    name: str
    type: str           # INTEGER4, ..., PROCEDURE, or the name of a derived type
    words: int          # components of a derived type
    intent: str
    flags: list
    shape: str          # EXPLICIT, ..., empty for a scalar
    extent: str         # the argument that is the upper bound of an array


@dataclass
class Procedure:
    name: str
    dummies: list
    is_function: bool


def parse_lists(text):
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token.strip("'"))
    return stack[0]


def read_symbols(path):
    try:
        with gzip.open(path, "rt", encoding="ascii") as file:
            head, _, text = file.read().partition("\n")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as err:
        sys.exit(f"{path}: {err}")
    m = re.match(r"GFORTRAN module version '(\d+)'", head)
    if not m or m[1] not in VERSIONS:
        sys.exit(f"{path}:1: not a module file of gfortran, version {' or '.join(VERSIONS)}")
    flat = parse_lists(text)[-2]
    return {flat[i]: flat[i + 1:i + 6] for i in range(0, len(flat), 6)}


def read_dummy(symbols, number):
    name, _, _, _, body = symbols[number]
    (flavor, intent, *flags), (kind, width) = body[0], body[2][:2]
    words, shape, extent = 0, "", ""
    if flavor == "PROCEDURE":
        kind, width = flavor, ""
    elif kind == "DERIVED":
        words = len(symbols[width][4][1])
        kind, width = symbols[width][0], ""
    if body[6]:
        shape, *bounds = body[6][2:]
        if bounds and bounds[-1][:1] == ["VARIABLE"]:
            extent = symbols[bounds[-1][3]][0]
    return Dummy(name, kind + width, words, intent, flags, shape, extent)


def read_procedures(path, module):
    """Those that the module itself declares, by name."""
    symbols = read_symbols(path)
    found = []
    for name, home, _, _, body in symbols.values():
        if home == module and body[0][0] == "PROCEDURE":
            dummies = [read_dummy(symbols, number) for number in body[5]]
            found.append(Procedure(name, dummies, "FUNCTION" in body[0]))
    return sorted(found, key=lambda procedure: procedure.name)
