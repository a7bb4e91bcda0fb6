#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a program that calls every wrapped procedure of mpi_f08, without MPI.

usage: gen_same.py PMPI-FOLDER OUT-LIBRARY.c OUT-PROGRAM.c f08.txt MODULE HEADER...

The library has the PMPI_* that they end in, which print what they are given and
hand something back.  The program prints what came back.  Both ways to PMPI_*, by
the wrappers and by the MPI library's own procedures, must print the same.
"""
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import f08_convert      # noqa: E402
import f08_module       # noqa: E402
import gen_f08          # noqa: E402
import gen_wrappers     # noqa: E402

# They begin and end the record or the process; and MPICH 4.0 calls the last one in C
# without its first two arguments.
NOT = re.compile(r"mpi_(init|init_thread|finalize|session_init|session_finalize|abort|pcontrol"
                 r"|info_create_env)_f08")
# Of these MPI's constants are passed as well.
CONSTANTS = {"status": "MPIR_F08_MPI_STATUS_IGNORE_OBJ",
             "array_of_statuses": "MPIR_F08_MPI_STATUSES_IGNORE_OBJ",
             "sourceweights": "__mpi_f08_link_constants_MOD_mpi_unweighted",
             "destweights": "__mpi_f08_link_constants_MOD_mpi_weights_empty",
             "weights": "__mpi_f08_link_constants_MOD_mpi_unweighted",
             "argv": "__mpi_f08_link_constants_MOD_mpi_argv_null",
             "array_of_argv": "__mpi_f08_link_constants_MOD_mpi_argvs_null",
             "array_of_errcodes": "__mpi_f08_link_constants_MOD_mpi_errcodes_ignore"}


def show(param, place, intent):
    """The statement that prints an argument of a C function, or else sets it."""
    name, base, depth = param.name, param.base, param.depth
    if name == "...":
        return ""
    if re.search(r"_function(_c)?$", base):
        return f"same_function(\"{name}\", (same_fn *){name});"
    if name == "extra_state":
        return f"same_address(\"{name}\", {name});"
    if depth == 0:
        return f"same_value(\"{name}\", (long){'(intptr_t)' if base == 'MPI_File' else ''}{name});"
    if base == "char" and depth > 1:
        return f"same_texts(\"{name}\", (void *){name}, {depth});"
    if base == "char":
        return f"same_text(\"{name}\", {name});" if intent == "IN" else f"same_set_text({name});"
    ints = re.match(r"int$|MPI_(?!Aint$|Count$|Offset$|File$)", base)
    many = 2 if "[" in param.decl else 1
    if intent in ("IN", "INOUT"):
        return f"same_memory(\"{name}\", {name}, {4 if ints else 8}, {many});"
    first = 0 if name in ("indx", "index", "array_of_indices") else 2 + place
    return f"same_set(\"{name}\", {name}, {4 if ints else 8}, {many}, {first});"


def fake(call, procedure):
    params = [f08_convert.parse_param(p) for p in call.params]
    intents = {d.name: d.intent for d in procedure.dummies}
    lines = [show(p, i, intents.get(p.name, "OUT")) for i, p in enumerate(params)]
    body = "".join(f"\t{line}\n" for line in lines if line)
    result = "same_result" if call.ret == "int" else "0"
    return (f"\n{call.ret} P{call.name}({call.decl()})\n{{\n\tsame_call(\"{call.name}\");\n{body}"
            f"\treturn {result};\n}}\n")


def is_sentinel(d):
    return d.name in CONSTANTS and (d.type != "Mpi_status" or d.intent == "OUT")


def argument(d, i, variant):
    if d.type == "PROCEDURE":
        return "same_callback"
    if variant and d.name == "ierror":
        return "NULL"
    if variant and is_sentinel(d):
        return f"same_constant(\"{CONSTANTS[d.name]}\")"
    if d.type == "CHARACTER1":
        return f"same_string({i}, {length(i)}, {1 if d.shape else 0})"
    kind = {"LOGICAL4": "LOGICAL", "INTEGER8": "LONG", "C_ptr": "LONG"}.get(d.type, "INT")
    return f"same_argument({i}, SAME_{kind})"


def length(i):
    return 10 + i


def invoke(procedure, call, variant):
    """Variant 0 passes memory and succeeds, 1 passes constants, no ierror, and fails."""
    dummies, symbol = procedure.dummies, procedure.name + "_"
    args = [argument(d, i, variant) for i, d in enumerate(dummies)]
    args += [f"(size_t){length(i)}" for i, d in enumerate(dummies) if d.type == "CHARACTER1"]
    return (f"\tsame_begin(\"{symbol}\", \"{call.name}\", {variant});\n"
            f"\t{symbol}({', '.join(args)});\n\tsame_end();\n")


def prototype(procedure):
    types = ["same_fn *" if d.type == "PROCEDURE" else "void *" for d in procedure.dummies]
    types += ["size_t" for d in procedure.dummies if d.type == "CHARACTER1"]
    return f"void {procedure.name}_({', '.join(types)});\n"


def read_calls(headers):
    return {call.name.lower(): call for path in reversed(headers)
            for call in gen_wrappers.parse_header(open(path, encoding="utf-8").read())}


def main():
    out_library, out_program, f08_txt, module, *headers = sys.argv[2:]
    skipped = {name for name, kind in gen_f08.f08_kinds(f08_txt).items() if kind == "skip"}
    procedures = [p for p in f08_module.read_procedures(module, "mpi_f08")
                  if gen_f08.PROCEDURE.match(p.name) and not NOT.match(p.name)
                  and p.name + "_" not in skipped]
    calls = read_calls(headers)
    # What C does not declare is not wrapped.
    procedures = [p for p in procedures
                  if gen_f08.find_call(p, calls) and not p.is_function]
    with open(out_library, "w", encoding="utf-8") as out:
        out.write("#include \"same.h\"\n")
        out.writelines(fake(gen_f08.find_call(p, calls), p) for p in procedures)
    with open(out_program, "w", encoding="utf-8") as out:
        out.write("#include \"same.h\"\n\n")
        out.writelines(prototype(p) for p in procedures)
        out.write("\nint main(void)\n{\n\tsame_start();\n")
        out.writelines(invoke(p, gen_f08.find_call(p, calls), variant)
                       for p in procedures for variant in (0, 1))
        out.write("\treturn 0;\n}\n")


if __name__ == "__main__":
    main()
