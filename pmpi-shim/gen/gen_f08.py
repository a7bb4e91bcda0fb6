#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a wrapper for every procedure of the mpi_f08 module that calls PMPI.

usage: gen_f08.py OUT.c OUT.h f08.txt calls.txt MODULE HEADER...

Procedures with a choice buffer (*_f08ts) call MPI_* and need none.  Of the
others MODULE has the Fortran arguments, and the headers have those of the C
function.  Where each pair of arguments is of a form that f08_convert.py
knows, the wrapper converts them and calls MPI_*.  f08.txt names the procedures
for which that cannot be.  Others, as of an MPICH newer than these, are recorded
and carried out by the library's own procedure, or not wrapped at all; the build
lists the latter.
"""
import re
import sys

sys.dont_write_bytecode = True      # these lie in the source folder
import f08_convert                  # noqa: E402
import f08_module                   # noqa: E402
import gen_wrappers                 # noqa: E402

KINDS = ("pass", "manual", "later", "skip")
NOT_HERE = ("later", "skip")
MARK = "/* Written by gen_f08.py; do not edit. */\n"

PROCEDURE = re.compile(r"mpi(x?)_(\w+)_f08(_large)?$")


def f08_kinds(path):
    return gen_wrappers.parse_kinds(path, "mpi_name_f08_", KINDS)


def forward_text(w):
    call = f"const int rc = {w.call.name}({', '.join(w.args)});"
    lines = w.before + [call, ""] + w.after + ["f08_error(ierror, rc);"]
    return "".join(f"\t{line}\n" if line else "\n" for line in lines)


def pass_text(w):
    made = gen_wrappers.plain(w.call)
    if made.before or len(made.after) > 1:
        raise ValueError(f"{w.symbol} cannot be passed on: MPI in C does more around it")
    after = ["if (rc == MPI_SUCCESS)", f"\t{made.after[0]};"] if made.after else []
    lines = [
        "static _Atomic(f08_fn *) found;",
        f"__typeof__({w.symbol}) *const real =",
        f"\t(__typeof__({w.symbol}) *)f08_real(&found, __func__);",
        "struct mmds_frame *f;",
        "int rc;",
        "",
        f"f = shim_enter({w.call.symbol()});",
        "if (!f) {",
        f"\treal({', '.join(w.args + ['ierror'] + w.lengths())});",
        "\treturn;",
        "}",
        f"real({', '.join(w.args + ['&rc'] + w.lengths())});",
        "shim_stop(f);"] + after + [
        f"shim_leave(f, {'true' if w.call.kind == 'blocking' else 'false'});",
        "f08_error(ierror, rc);"]
    return "".join(f"\t{line}\n" if line else "\n" for line in lines)


def assert_text(wrappers):
    """That handles lie in memory as in C."""
    used = {(p.base, d.words) for w in wrappers for d in w.dummies for p in w.cparams
            if d.words and p.suits(d) and d.type not in ("Mpi_file", "C_ptr")}
    for base, words in sorted(used):
        yield f"_Static_assert(sizeof({base}) == {words} * sizeof(int), \"{base}\");\n"


def read_calls(calls_txt, headers):
    kinds = gen_wrappers.parse_kinds(calls_txt)
    return {call.name.lower(): call
            for call in gen_wrappers.declared_calls(headers, kinds, calls_txt)}


def find_call(procedure, calls):
    """In C some have the prefix MPIX_ yet that they have lost in Fortran."""
    m = PROCEDURE.match(procedure.name)
    base = m[2] + ("_c" if m[3] else "")
    return calls.get(f"mpi{m[1]}_{base}") or calls.get(f"mpix_{base}")


def text(w):
    return "" if w.kind == "manual" else pass_text(w) if w.kind == "pass" else forward_text(w)


def make_wrapper(procedure, kind, calls):
    symbol, call = procedure.name + "_", find_call(procedure, calls)
    names = [d.name for d in procedure.dummies]
    if not call or procedure.is_function or names[-1:] != ["ierror"]:
        raise ValueError(f"{symbol} is none of those wrapped in C: say skip")
    params = [f08_convert.parse_param(p) for p in call.params]
    w = f08_convert.Wrapper(symbol, kind, call, procedure.dummies, params)
    way = f08_convert.pass_on(w) if kind == "pass" else f08_convert.forward(w)
    if way:
        raise ValueError(f"{symbol}: no conversion for the argument {way}: say pass")
    text(w)
    return w


def choose_wrapper(procedure, kinds, calls):
    """As f08.txt says; else by conversion, else passed on, else None."""
    kind = kinds.get(procedure.name + "_")
    if kind:
        return make_wrapper(procedure, kind, calls)
    for kind in ("forward", "pass"):
        try:
            return make_wrapper(procedure, kind, calls)
        except ValueError:
            continue
    return None


def write(out_c, out_h, wrappers):
    with open(out_h, "w", encoding="utf-8") as out:
        out.write(f"{MARK}#include \"pmpi-shim/mpich/f08.h\"\n\n")
        out.writelines(f"SHIM_EXPORT {w.head()};\n" for w in wrappers)
    with open(out_c, "w", encoding="utf-8") as out:
        out.write(f"{MARK}#include <stdlib.h>\n\n#include \"shim_f08.h\"\n"
                  "#include \"pmpi-shim/record/calls/comms.h\"\n\n")
        out.writelines(assert_text(wrappers))
        for w in wrappers:
            if w.kind != "manual":
                out.write(f"\n{w.head()}\n{{\n{text(w)}}}\n")


def main():
    out_c, out_h, f08_txt, calls_txt, module, *headers = sys.argv[1:]
    kinds = f08_kinds(f08_txt)
    found = [p for p in f08_module.read_procedures(module, "mpi_f08") if PROCEDURE.match(p.name)]
    unknown = {n for n in kinds if kinds[n] not in NOT_HERE} - {p.name + "_" for p in found}
    if unknown:
        sys.exit(f"{f08_txt}: {module} declares no {', '.join(sorted(unknown))}")
    calls = read_calls(calls_txt, headers)
    wanted = [p for p in found if kinds.get(p.name + "_") not in NOT_HERE]
    try:
        made = [choose_wrapper(p, kinds, calls) for p in wanted]
    except ValueError as err:
        sys.exit(f"{f08_txt}: {err}")
    write(out_c, out_h, [w for w in made if w])
    gen_wrappers.tell_unknown("not recorded in programs that use mpi_f08",
                              [p.name for p, w in zip(wanted, made) if not w])


if __name__ == "__main__":
    main()
