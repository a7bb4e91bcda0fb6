#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the wrappers for Open MPI, as gen_wrappers.py does for MPICH.

usage: gen_ompi.py WRAPPERS.c CALLS.h PMPI.h FORTRAN.c CONSTANTS.h
           BUFFERS.c calls.txt mpi.h LATER.h

Open MPI's header says less than MPICH's: which buffer a datatype is for follows
from their order.  Some of its parameters have other names than in the standard.

FORTRAN.c has PMPI functions, which stand before those of Open MPI: its Fortran
procedures call them (pmpi-shim/ompi/fortran.h).  CONSTANTS.h lists the objects
behind MPI's constants (pmpi-shim/ompi/constants.h).

LATER.h declares what newer versions have: an older mpi.h lacks it.
"""
import re
import sys

sys.dont_write_bytecode = True      # these lie in the source folder
import gen_buffers                  # noqa: E402
import gen_wrappers                 # noqa: E402

MARK = "/* Written by gen_ompi.py; do not edit. */\n"

PROTO = re.compile(
    r"^(?:OMPI_DECLSPEC|extern)\s+(?P<ret>\w+)\s+(?P<name>MPI_[A-Z](?!UP_FN)\w+)\s*\((?P<params>[^;]*?)\)"
    r"\s*(?:__mpi_interface_\w+__\((?:[^()]|\([^()]*\))*\)\s*)?;", re.M)
# Types first: where the header has no full type, it names this one.
CONSTANT = re.compile(
    r"^(?:OMPI_DECLSPEC )?extern struct ompi_predefined_(\w+)_t (ompi_\w+);", re.M)
RENAMED = {"type": "datatype", "mtype": "datatype", "erhandler": "errhandler"}
# Its first argument is no buffer, but says where the address of one goes.
RENAMED_IN = {"MPI_Buffer_detach": {"buffer": "buffer_addr"}}


def parse_param(text, renamed):
    param = gen_wrappers.parse_param(re.sub(r"\s*(\*+)\s*", r" \1", text))
    name = renamed.get(param.name)
    if not name:
        return param
    decl = re.sub(rf"\b{param.name}((\[\])*)$", rf"{name}\1", param.decl)
    return gen_wrappers.Param(decl, name)


def tags_of(params):
    """Each datatype is for the buffers before it that have none yet."""
    tags, buffers = [], []
    for i, p in enumerate(params):
        if re.match(r"(const )?void \*\w+$", p.decl):
            buffers.append(i)
        elif re.match(r"MPI_Datatype \w+$", p.decl):
            tags += [(buffer, i) for buffer in buffers]
            buffers = []
    return tags


def parse_header(text):
    for m in PROTO.finditer(text):
        renamed = RENAMED | RENAMED_IN.get(m["name"].removesuffix("_c"), {})
        params = [] if m["params"].strip() == "void" else [
            parse_param(p, renamed) for p in m["params"].split(",")]
        yield gen_wrappers.Call(m["ret"], m["name"], params, tags_of(params))


def texts_of(mpi_h, later_h):
    """What the compiler sees of both: later.h is for versions before 5."""
    text = open(mpi_h, encoding="utf-8").read()
    major = int(re.search(r"^#define OMPI_MAJOR_VERSION (\d+)", text, re.M)[1])
    return [text] + ([open(later_h, encoding="utf-8").read()] if major < 5 else [])


def declared_calls(headers, kinds):
    """Those of calls.txt that Open MPI has not are left out."""
    declared = {}
    for text in headers:
        for call in parse_header(text):
            declared.setdefault(call.name, call)
    for call in declared.values():
        call.kind = kinds.get(call.name, "")
    return [declared[n] for n in sorted(declared) if declared[n].kind != "skip"]


def fortran(call):
    args = call.args()
    return (f"\n#undef P{call.name}\n"
            f"__typeof__({call.name}) P{call.name};\n"
            f"SHIM_EXPORT {call.ret} P{call.name}({call.decl()})\n{{\n"
            f"\tstatic struct fortran_callers known;\n\n"
            f"\tif (fortran_calls(&known, __builtin_return_address(0), \"{call.name}\"))\n"
            f"\t\treturn {call.name}({args});\n"
            f"\treturn (*shim_pmpi.{call.name})({args});\n}}\n")


def write_fortran(path, calls):
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"{MARK}#include \"pmpi-shim/ompi/fortran.h\"\n"
                  "#include \"pmpi-shim/shim.h\"\n")
        out.writelines(fortran(call) for call in calls
                       if not any(p.name == "..." for p in call.params))


def write_constants(path, headers):
    kinds = {name: kind for text in headers for kind, name in CONSTANT.findall(text)}
    rows = " \\\n".join(f"\tX({kind}, {name})" for name, kind in kinds.items())
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"{MARK}#define OMPI_CONSTANTS(X) \\\n{rows}\n")


def main():
    out_c, out_calls, out_pmpi, out_fortran, out_constants, out_buffers, calls_txt, \
        *headers = sys.argv[1:]
    texts = texts_of(*headers)
    calls = declared_calls(texts, gen_wrappers.parse_kinds(calls_txt))
    gen_wrappers.write_calls(out_calls, calls)
    gen_wrappers.write_pmpi(out_pmpi, calls)
    gen_wrappers.write_wrappers(out_c, calls)
    write_fortran(out_fortran, calls)
    write_constants(out_constants, texts)
    gen_buffers.write_buffers(out_buffers, calls)


if __name__ == "__main__":
    main()
