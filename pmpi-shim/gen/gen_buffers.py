#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes functions in MPI's place that look at the program's buffers (BCS_STRICT=buffers,
BCS_ADVISE).

usage: gen_buffers.py BUFFERS.c calls.txt HEADER...

The headers say which arguments are a buffer and its datatype.  The functions stand in the
table of MPI's functions, those with large counts, too.  A buffer of a built-in type is
looked at before MPI's call, so that it is known if the call crashes.  Buffers of derived
types, and those whose length depends on the communicator, are looked at after it: then
MPI has found the datatype and the communicator good.

Other calls that get buffers, start requests or make windows have functions of their own,
which only tell of the buffers.
"""
import re
import sys

sys.dont_write_bytecode = True      # gen_wrappers lies in the source folder
import gen_wrappers                 # noqa: E402

MARK = "/* Written by gen_buffers.py; do not edit. */\n"

# How long both buffers of a collective are, where the communicator decides on it: a
# number of elements; or the counts, the displacements and the number of blocks.
# {} is "_c" in a function for large counts; b is a struct buffer_blocks
# (pmpi-shim/record/buffers/buffer_calls.h).
LENGTHS = {
    "Reduce": ("count * b.one", "count * b.root"),
    "Exscan": ("count * b.one", "count * b.later"),
    "Gather": ("sendcount * b.one", "recvcount * b.at_root"),
    "Gatherv": ("sendcount * b.one",
                ("recvcounts", "displs", "b.at_root")),
    "Scatter": ("sendcount * b.at_root", "recvcount * b.one"),
    "Scatterv": (("sendcounts", "displs", "b.at_root"),
                 "recvcount * b.one"),
    "Allgather": ("sendcount * b.one", "recvcount * b.each"),
    "Allgatherv": ("sendcount * b.one",
                   ("recvcounts", "displs", "b.each")),
    "Alltoall": ("sendcount * b.each", "recvcount * b.each"),
    "Alltoallv": (("sendcounts", "sdispls", "b.each"),
                  ("recvcounts", "rdispls", "b.each")),
    "Reduce_scatter": ("buffer_sum{}(recvcounts, b.each)",
                       "b.one ? recvcounts[b.rank] : 0"),
    "Reduce_scatter_block": ("recvcount * b.each", "recvcount * b.one"),
}
# The buffers of these have `count` elements at every process.
TOLD = ("Bcast", "Allreduce", "Scan")

# Blocking calls that `bcs advise` knows a nonblocking form of.
ENDS = TOLD + tuple(LENGTHS) + ("Send", "Ssend", "Recv", "Sendrecv")

# Buffers of other calls; and calls without one that reach into buffers.
OTHERS = ("sendbuf", "recvbuf", "base", "buf", "buffer", "origin_addr", "compare_addr",
          "result_addr", "inbuf", "outbuf", "inoutbuf")
STARTS = re.compile(r"MPI_(Start(all)?|Pready.*)$")
WINDOWS = re.compile(r"MPI_Win_(create|create_dynamic|allocate|allocate_shared)$")


def use(param):
    return "BUFFER_SENT" if param.decl.startswith("const ") else "BUFFER_RECEIVED"


def count_of(call, tag):
    """The count between a buffer and its datatype."""
    buf, dtype = call.tags[tag]
    count = next(p.name for p in call.params[buf:dtype] if "count" in p.name)
    return f"partitions * {count}" if call.has("partitions") else count


def peer_of(call, tag):
    """The argument that may be MPI_PROC_NULL, so that there is no buffer; or None."""
    if call.has("dest", "source"):
        both = "source == MPI_PROC_NULL ? dest : source"
        return ("dest", "source")[tag] if len(call.tags) == 2 else both
    return next((p for p in ("dest", "source", "root") if call.has(p)), None)


def told_count(call, tag):
    count = count_of(call, tag)
    if call.has("message"):
        return f"buffer_of_message(message, {count})"
    peer = peer_of(call, tag)
    return f"buffer_of_peer({peer}, {count})" if peer else count


def is_told(call):
    """Whether the lengths are known before the call."""
    name, _ = gen_wrappers.collective_of(call)
    if name:
        return name in TOLD
    return bool(call.tags) and (call.has("message") or call.has("comm") and (
        call.has("dest") or call.has("source")))


def is_found(call):
    return gen_wrappers.collective_of(call)[0] in LENGTHS


def is_looked_at(call):
    return (call.name.startswith("MPI_") and not call.base().endswith("_enqueue")
            and (is_told(call) or is_found(call)))


def ends(call):
    return "true" if call.base()[4:] in ENDS else "false"


def other_buffers(call):
    """The buffers of a call that is not looked at; or None if it leaves all alone."""
    buffers = [p.name for p in call.params if p.name in OTHERS and "void *" in p.decl]
    if is_looked_at(call) or call.name.startswith("MPI_T_"):
        return None
    if STARTS.match(call.base()) or WINDOWS.match(call.base()):
        return []
    return buffers or None


def told(call):
    return [(call.params[b], f"n{tag}", call.params[t].name)
            for tag, (b, t) in enumerate(call.tags)]


def found(call):
    form = "_c" if call.name.endswith("_c") else ""
    lengths = LENGTHS[gen_wrappers.collective_of(call)[0]]
    types = [t if call.has(t) else "datatype" for t in ("sendtype", "recvtype")]
    return [(call.param(b), length, t, form)
            for b, length, t in zip(("sendbuf", "recvbuf"), lengths, types)]


def found_look(end, buf, length, datatype, form):
    if isinstance(length, tuple):
        return (f"\tbuffer_parts_found{form}({end}, {use(buf)}, fp, {buf.name}, "
                f"{', '.join(length)}, {datatype});\n")
    return (f"\tbuffer_found({end}, {use(buf)}, fp, {buf.name}, {length.format(form)}, "
            f"{datatype});\n")


def looks(function, buffers):
    return "".join(f"\t{function}{use(b)}, fp, {b.name}, {n}, {t});\n"
                   for b, n, t in buffers)


def looks_behind(call):
    """A broadcast only reads the buffer of its root."""
    if call.base() == "MPI_Bcast":
        b, n, t = told(call)[0]
        return f"\tbuffer_behind_bcast(rc, comm, root, fp, {b.name}, {n}, {t});\n"
    return looks(f"buffer_behind(rc, {ends(call)}, ", told(call))


def body(call):
    real = f"rc = (*below.{call.name})({call.args()});\n"
    if is_told(call):
        counts = "".join(f"\tconst MPI_Count n{tag} = {told_count(call, tag)};\n"
                         for tag in range(len(call.tags)))
        return (counts + "\tint rc;\n\n" + looks("buffer_before(", told(call)) + f"\t{real}"
                + looks_behind(call))
    root = "root" if call.has("root") else "0"
    return ("\tstruct buffer_blocks b;\n\tint rc;\n\n"
            + f"\tbuffer_given({', '.join(b[0].name for b in found(call))});\n"
            + f"\t{real}\tb = buffer_blocks(rc, comm, {root});\n"
            + "".join(found_look(ends(call), *b) for b in found(call)))


def text(call):
    return (f"\nstatic int {call.name[4:]}({call.decl()})\n{{\n"
            f"\tconst void *const fp = BUFFER_CALLER;\n{body(call)}\treturn rc;\n}}\n")


def other_text(call):
    first, second = (other_buffers(call) + ["NULL", "NULL"])[:2]
    given = f"buffer_given({first}, {second})"
    if WINDOWS.match(call.base()):
        given = "reuse_stop()"
    return (f"\nstatic {call.ret} {call.name[4:]}({call.decl()})\n{{\n"
            f"\t{given};\n\treturn (*below.{call.name})({call.args()});\n}}\n")


def install(function, calls):
    return (f"\nvoid {function}(void)\n{{\n"
            + "".join(f"\tbelow.{c.name} = shim_pmpi.{c.name};\n"
                      f"\tshim_pmpi.{c.name} = {c.name[4:]};\n" for c in calls) + "}\n")


def write_buffers(path, calls):
    others = [c for c in calls if c.name.startswith("MPI_") and other_buffers(c) is not None]
    calls = [c for c in calls if is_looked_at(c)]
    with open(path, "w", encoding="utf-8") as to:
        to.write(f"{MARK}#include \"pmpi-shim/record/buffers/buffer_calls.h\"\n"
                 "#include \"pmpi-shim/record/buffers/reuse.h\"\n\n"
                 "static struct shim_pmpi below;\n")
        to.writelines(text(c) for c in calls)
        to.writelines(other_text(c) for c in others)
        to.write(install("buffer_calls_install", calls))
        to.write(install("buffer_calls_install_others", others))


def main():
    out, calls_txt, *headers = sys.argv[1:]
    kinds = gen_wrappers.parse_kinds(calls_txt)
    write_buffers(out, gen_wrappers.declared_calls(headers, kinds, calls_txt))


if __name__ == "__main__":
    main()
