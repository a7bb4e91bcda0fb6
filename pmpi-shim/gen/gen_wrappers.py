#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a PMPI wrapper for every MPI function that the installed MPI declares.

usage: gen_wrappers.py WRAPPERS.c CALLS.h PMPI.h FORMS.h calls.txt HEADER...

The signatures are read from the headers, so they cannot drift from them; which
arguments are a buffer and its datatype MPICH says there too, in an attribute that
it has for the compiler's type checks.  From these and the parameters' names, which
the MPI standard fixes, follows what a call transfers.  calls.txt holds what is left.
A function with a buffer that fits no rule, as of an MPICH newer than these, is
counted by its name, without bytes; the build lists such functions.

FORMS.h has the entries that lead to the scheduler (pmpi-shim/route/route_forms.h):
a plain function and its large-count form (MPI_Send, MPI_Send_c) come from one line.
"""
import re
import sys
from dataclasses import dataclass

KINDS = ("blocking", "manual", "skip")
MARK = "/* Written by gen_wrappers.py; do not edit. */\n"

PROTO = re.compile(
    r"^(?P<ret>\w+) (?P<name>MPIX?_[A-Z](?!UP_FN)\w+)\((?P<params>[^;]*?)\)\s*"
    r"(?P<attrs>(?:(?:MPICH|ROMIO)_\w+(?:\([^)]*\))?\s*)*);", re.M)
TAG = re.compile(r"MPICH_ATTR_POINTER_WITH_TYPE_TAG\((\d+),(\d+)\)")
PARAM_NAME = re.compile(r"(\w+|\.\.\.)(?:\[[^]]*\])*$")

# What a collective moves: the helper that transfer.h declares, and its arguments.
COLLECTIVES = {
    "Barrier": ("comm", "comm"),
    "Bcast": ("bcast", "comm root count datatype"),
    "Reduce": ("reduce", "comm root count datatype"),
    "Allreduce": ("allreduce", "comm count datatype"),
    "Scan": ("allreduce", "comm count datatype"),
    "Exscan": ("exscan", "comm count datatype"),
    "Gather": ("gather", "comm root sendbuf sendcount sendtype recvcount recvtype"),
    "Gatherv": ("gatherv", "comm root sendbuf sendcount sendtype recvcounts recvtype"),
    "Scatter": ("scatter", "comm root sendcount sendtype recvbuf recvcount recvtype"),
    "Scatterv": ("scatterv", "comm root sendcounts sendtype recvbuf recvcount recvtype"),
    "Allgather": ("allgather", "comm sendbuf sendcount sendtype recvcount recvtype"),
    "Allgatherv": ("allgatherv", "comm sendbuf sendcount sendtype recvcounts recvtype"),
    "Alltoall": ("alltoall", "comm sendbuf sendcount sendtype recvcount recvtype"),
    "Alltoallv": ("alltoallv", "comm sendbuf sendcounts sendtype recvcounts recvtype"),
    "Alltoallw": ("alltoallw", "comm sendbuf sendcounts sendtypes recvcounts recvtypes"),
    "Reduce_scatter": ("reduce_scatter", "comm recvcounts datatype"),
    "Reduce_scatter_block": ("reduce_scatter_block", "comm recvcount datatype"),
    "Neighbor_allgather": ("neighbor_allgather", "comm sendcount sendtype recvcount recvtype"),
    "Neighbor_allgatherv": ("neighbor_allgatherv", "comm sendcount sendtype recvcounts recvtype"),
    "Neighbor_alltoall": ("neighbor_alltoall", "comm sendcount sendtype recvcount recvtype"),
    "Neighbor_alltoallv": ("neighbor_alltoallv",
                           "comm sendcounts sendtype recvcounts recvtype"),
    "Neighbor_alltoallw": ("neighbor_alltoallw",
                           "comm sendcounts sendtypes recvcounts recvtypes"),
}
# Calls that post something, which may take less than to be timed.
POSTS = ("MPI_Isend", "MPI_Irsend", "MPI_Irecv")
# Objects that the program has to free: what they are (pmpi-shim/record/findings/findings.h),
# the argument of a call that makes one, and the calls that free one by an argument.
# Some that MPI hands out are not to be freed: they have other names, or are f90's.
MADE = (
    ("COMM", r"MPI_Comm \*(?!comm$|parent$)\w+$"),
    ("TYPE", r"MPI_Datatype \*newtype$"),
    ("OP", r"MPI_Op \*op$"),
    ("GROUP", r"MPI_Group \*\w+$"),
    ("WIN", r"MPI_Win \*win$"),
    ("INFO", r"MPI_Info \*\w+$"),
    ("ERRHANDLER", r"MPI_Errhandler \*errhandler$"),
    ("KEYVAL", r"int \*(\w+_)?keyval$"),
    ("FILE", r"MPI_File \*fh$"),
)
FREED = {
    "MPI_Comm_free": ("COMM", "comm"), "MPI_Comm_disconnect": ("COMM", "comm"),
    "MPI_Type_free": ("TYPE", "datatype"),
    "MPI_Op_free": ("OP", "op"),
    "MPI_Group_free": ("GROUP", "group"),
    "MPI_Win_free": ("WIN", "win"),
    "MPI_Info_free": ("INFO", "info"),
    "MPI_Errhandler_free": ("ERRHANDLER", "errhandler"),
    "MPI_Keyval_free": ("KEYVAL", "keyval"), "MPI_Comm_free_keyval": ("KEYVAL", "comm_keyval"),
    "MPI_Type_free_keyval": ("KEYVAL", "type_keyval"),
    "MPI_Win_free_keyval": ("KEYVAL", "win_keyval"),
    "MPI_File_close": ("FILE", "fh"),
    "MPI_Free_mem": ("MEMORY", "base"),
    "MPI_Buffer_detach": ("BUFFER", "buffer_addr"),
}
NOT_MADE = re.compile(r"MPI_(Type_create_f90_|T_)|\w+_free(_keyval)?$")
# Arguments that MPICH's header names for something else.
RENAMED = {"MPI_Precv_init": (("dest", "source"),)}
# Calls with a buffer that moves nothing to or from another process.
LOCAL = re.compile(r"MPI_(Pack|Unpack|Pack_external|Unpack_external|Reduce_local)$")


@dataclass
class Param:
    decl: str
    name: str


@dataclass
class Call:
    ret: str
    name: str
    params: list
    tags: list      # (buffer, datatype): places in params, from 0
    kind: str = ""

    def base(self):
        return self.name[:-2] if self.name.endswith("_c") else self.name

    def has(self, *names):
        return all(any(p.name == n for p in self.params) for n in names)

    def param(self, name):
        return next(p for p in self.params if p.name == name)

    def decl(self):
        return ", ".join(p.decl for p in self.params) or "void"

    def args(self):
        return ", ".join(p.name for p in self.params)

    def sets_handler(self):
        """Whether errors may be the program's from here on; those of files always are."""
        return (any(p.decl == "MPI_Errhandler errhandler" for p in self.params)
                and not self.name.startswith("MPI_File_"))

    def symbol(self):
        return f"SHIM_{self.name}"


@dataclass
class Body:
    """The lines around the real call."""
    before: list
    after: list     # run when the call succeeded
    status: bool = False
    always: tuple = ()      # run when it is over, whatever came of it

    @staticmethod
    def post(call):
        """What is added to the names for those that only post something."""
        return "_post" if call.name.removesuffix("_c") in POSTS else ""

    def text(self, call):
        out = ["\tstruct mmds_frame *f;"]
        if self.status:
            out.append("\tMPI_Status own;")
        native = call.name.startswith("MPI_File_")
        begin = ["\troute_native++;"] if native else []
        end = ["\troute_native--;"] if native else []
        gone = freed(call)
        if gone:
            out.append(f"\tconst uint64_t gone = {gone[0]};")
            end += ["\tif (rc == MPI_SUCCESS)", f"\t\t{gone[1]};"]
        if call.sets_handler():
            end += ["\tif (rc == MPI_SUCCESS)", "\t\tfatal_handled(errhandler);"]
        out += [f"\t{call.ret} rc;", ""]
        out += [f"\tf = shim_enter{self.post(call)}({call.symbol()});"]
        out += ["\tif (!f) {"] + ["\t" + line for line in begin] + [
            f"\t\trc = P{call.name}({call.args()});"] + [
            "\t" + line for line in end] + ["\t\treturn rc;", "\t}"] if end else [
            "\tif (!f)", f"\t\treturn P{call.name}({call.args()});"]
        if self.status:
            out += ["\tif (status == MPI_STATUS_IGNORE)", "\t\tstatus = &own;"]
        out += [f"\t{line};" for line in self.before]
        out += begin + [f"\trc = P{call.name}({call.args()});"] + end + [
            f"\tshim_stop{self.post(call)}(f);"]
        out += [f"\t{line};" for line in self.always]
        if len(self.after) == 1:
            out += ["\tif (rc == MPI_SUCCESS)", f"\t\t{self.after[0]};"]
        elif self.after:
            out += ["\tif (rc == MPI_SUCCESS) {"]
            out += [f"\t\t{line};" for line in self.after] + ["\t}"]
        blocking = "true" if call.kind == "blocking" else "false"
        leave = "shim_leave_post(f)" if self.post(call) else f"shim_leave(f, {blocking})"
        out += [f"\t{leave};", "\treturn rc;"]
        return "\n".join(out)


def sized(call, tag):
    """The bytes of a buffer, from the count between it and its datatype."""
    buf, dtype = call.tags[tag]
    counts = [p for p in call.params[buf:dtype] if "count" in p.name]
    if len(counts) != 1:
        sys.exit(f"{call.name}: no count for {call.params[buf].name}")
    parts = "partitions * " if call.has("partitions") else ""
    return f"shim_bytes({parts}{counts[0].name}, {call.params[dtype].name})"


def collective_of(call):
    """The blocking call that it is a form of, and whether it is persistent; or None."""
    name = re.sub(r"^MPI_", "", call.base())
    persistent = name.endswith("_init")
    name = re.sub(r"_init$", "", name)
    if re.match(r"I[a-z]", name) and name[1:].capitalize() in COLLECTIVES:
        name = name[1:].capitalize()
    if name not in COLLECTIVES or not call.has("comm"):
        return None, False
    return name, persistent


def collective(call):
    name, persistent = collective_of(call)
    if not name:
        return None
    helper, args = COLLECTIVES[name]
    names = [f"shim_counts({a})" if a.endswith("counts") else a for a in args.split()]
    line = f"shim_{helper}({', '.join(['f'] + names)})"
    peer = "root" if call.has("root") else "MPI_PROC_NULL"
    before = [f"shim_about(f, comm, {peer}, MPI_ANY_TAG)"]
    after = [line]
    if call.has("request"):
        after.append(f"shim_track_{'init' if persistent else 'coll'}(f, *request)")
    return Body(before, after)


def transfer(call):
    """Point-to-point: sends, receives and both at once."""
    send, recv = call.has("dest"), call.has("source")
    if not call.has("comm") or not (send or recv):
        return None
    peer, tag = ("dest", "tag") if send and not recv else ("source", "tag")
    if send and recv:
        tag = "recvtag"
    before = [f"shim_about(f, comm, {peer}, {tag})"]
    if not call.tags:       # the probes
        return Body(before, ["shim_comm(f, comm)" if not call.has("message")
                             else "shim_probed_message(f, comm, message)"])
    after = []
    persistent = call.base().endswith("_init")
    if send and recv and call.has("status"):
        after.append(f"shim_exchanged(f, comm, dest, sendtag, {sized(call, 0)}, status)")
        return Body(before, after, status=True)
    if send and recv:
        after.append(f"shim_sent_beside(f, comm, dest, sendtag, {sized(call, 0)})")
    elif send:
        after.append(f"shim_sent(f, comm, dest, {sized(call, 0)})")
    if recv and call.has("status"):
        after.append("shim_received(f, comm, status)")
    elif recv and persistent:
        after.append("shim_track_recv_init(f, *request, comm, source, tag)")
    elif recv:
        after.append(f"shim_track(f, *request, comm, source, {tag})")
    if send and persistent:
        after = [f"shim_track_send_init(f, *request, comm, dest, tag, {sized(call, 0)})"]
    elif send and not recv and call.has("request"):
        after.append("shim_track_send(f, *request, comm, dest, tag)")
    return Body(before, after, status=call.has("status"))


def matched(call):
    """MPI_Mrecv and MPI_Imrecv: the message stands for communicator and peer."""
    if not (call.tags and call.has("message")):
        return None
    before = ["struct shim_pending taken", "shim_about_message(f, &taken, message)"]
    if call.has("status"):
        return Body(before, ["shim_received_message(f, &taken, status)"], status=True)
    return Body(before, ["shim_track_message(f, &taken, *request)"])


def one_sided(call):
    dtype = "datatype" if call.has("datatype") else "origin_datatype"
    if not call.has("win", "target_rank", dtype):
        return None
    count = "origin_count" if call.has("origin_count") else "1"
    origin = f"shim_bytes({count}, {dtype})"
    result = "shim_bytes(result_count, result_datatype)" if call.has("result_count") else origin
    get = re.match(r"MPI_R?get(_c)?$", call.name, re.I)
    sent = "0" if get else origin
    received = result if get or call.has("result_addr") else "0"
    return Body(["shim_about_win(f, win, target_rank)"],
                [f"shim_one_sided(f, win, target_rank, {sent}, {received})"])


def file_io(call):
    m = re.match(r"MPI_File_(i?)(read|write)\w*$", call.base())
    if not m:
        return None
    if call.has("request"):
        return Body([], [f"shim_track_file(f, *request, {int(m[2] == 'write')})"])
    if not call.has("status"):
        return Body([], [])     # the first half of a split call
    return Body([], [f"shim_file(f, status, {int(m[2] == 'write')})"], status=True)


def object_of(what, name):
    """The number that an object is known by, from the argument that it is in."""
    return f"SHIM_{what if what in ('MEMORY', 'BUFFER') else 'OBJECT'}({name})"


def freed(call):
    """The object that a call frees, and what is done once it is gone; or None."""
    if call.base() not in FREED:
        return None
    what, name = FREED[call.base()]
    return object_of(what, name), f"shim_object_gone(FINDING_{what}, gone, {name})"


def made(call):
    """What is done with the objects that a call made."""
    if call.base() == "MPI_Alloc_mem":
        return ["shim_object_made(f, FINDING_MEMORY, SHIM_MEMORY(*(void **)baseptr), NULL)"]
    if call.base() == "MPI_Buffer_attach":
        return ["shim_object_made(f, FINDING_BUFFER, SHIM_BUFFER(buffer), NULL)"]
    if call.base() == "MPI_Type_get_contents":
        return ["shim_object_types(f, datatype, array_of_datatypes)"]
    if NOT_MADE.match(call.base()):
        return []
    return [f"shim_object_made(f, FINDING_{what}, {object_of(what, p.name)}, {p.name})"
            for p in call.params for what, decl in MADE if re.match(decl, p.decl)]


def moves_nothing(call):
    return not call.tags or LOCAL.match(call.base())


def plain(call):
    """No bytes; but communicators, windows and their names come and go.

    What MPI refuses changes nothing: what is known of a handle is looked up before
    the call, while the handle is the caller's, and forgotten once MPI freed it.  By
    then the handle may be another thread's, whose entry is told by what was looked up.
    """
    before, after, always = [], [], ()
    new = [p.name for p in call.params
           if p.decl.startswith("MPI_Comm *") and p.name not in ("comm", "parent")]
    if call.base() in ("MPI_Comm_free", "MPI_Comm_disconnect"):
        before = ["const MPI_Comm handle = comm ? *comm : MPI_COMM_NULL",
                  "struct shim_comm *const was = shim_comm_met(handle)"]
        after = ["shim_comm_gone(handle, was)"]
    elif call.base() in ("MPI_Comm_idup", "MPI_Comm_idup_with_info"):
        after = ["shim_comm_made_like(*newcomm, comm)"]
    elif new:
        after = [f"shim_comm_made(*{new[0]})"]
    elif call.base() == "MPI_Comm_set_name":
        after = ["shim_comm_named(comm, comm_name)"]
    elif call.base() == "MPI_Win_free":
        before = ["const MPI_Win handle = win ? *win : MPI_WIN_NULL",
                  "const uint64_t was = shim_win_met(handle)"]
        after = ["shim_win_gone(handle, was)"]
    elif re.match(r"MPI_(?!File)\w+_call_errhandler$", call.name):
        before, always = ["fatal_expect(errorcode)"], ("fatal_went_on()",)
    elif call.has("win", "comm"):
        after = ["shim_win_made(*win, comm)"]
    return Body(before, after, always=always)


def known_body(call):
    """None where no rule fits; what is put on a queue moves when nobody knows."""
    if call.tags and call.base().endswith("_enqueue"):
        return None
    for rule in (collective, transfer, matched, one_sided, file_io):
        found = rule(call)
        if found:
            return found
    return plain(call) if moves_nothing(call) else None


def body(call):
    found = known_body(call) or Body([], [])
    found.after = found.after + made(call)
    return found


def wrapper(call):
    return (f"\nSHIM_EXPORT {call.ret} {call.name}({call.decl()})\n{{\n"
            f"{body(call).text(call)}\n}}\n")


def parse_param(text, renamed=()):
    decl = " ".join(text.split())
    for old, new in renamed:
        decl = re.sub(rf"\b{old}$", new, decl)
    return Param(decl, PARAM_NAME.search(decl).group(1))


def parse_header(text):
    for m in PROTO.finditer(text):
        params = [] if m["params"] == "void" else [
            parse_param(p, RENAMED.get(m["name"], ())) for p in m["params"].split(",")]
        tags = [(int(b) - 1, int(t) - 1) for b, t in TAG.findall(m["attrs"])]
        yield Call(m["ret"], m["name"], params, tags)


def parse_kinds(path, name="MPI_Name", known=KINDS):
    """What a file says of each name; it is called `name` where it does not."""
    kinds = {}
    for lineno, line in enumerate(open(path, encoding="utf-8"), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        if len(words) != 2 or words[1] not in known or words[0] in kinds:
            sys.exit(f"{path}:{lineno}: expected one '{name} {'|'.join(known)}' for each name")
        kinds[words[0]] = words[1]
    return kinds


def declared_calls(headers, kinds, calls_txt):
    declared = {}   # a dict, since mpio.h declares some of mpi_proto.h's again
    for path in headers:
        for call in parse_header(open(path, encoding="utf-8").read()):
            declared.setdefault(call.name, call)
    unknown = sorted(n for n in kinds if n not in declared and kinds[n] != "skip")
    if unknown:
        sys.exit(f"{calls_txt}: no header declares {', '.join(unknown)}")
    for call in declared.values():
        call.kind = kinds.get(call.name) or kinds.get(call.base(), "")
    return [declared[n] for n in sorted(declared) if declared[n].kind != "skip"]


def tell_unknown(what, names):
    """The build goes on, but whoever reads a report should know."""
    if names:
        print(f"{what}: {', '.join(names)}", file=sys.stderr)


def write_calls(path, calls):
    rows = " \\\n".join(f"\tX({call.name})" for call in calls)
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"{MARK}#define SHIM_CALLS(X) \\\n{rows}\n")


def write_pmpi(path, calls):
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"{MARK}struct shim_pmpi {{\n")
        out.writelines(f"\t__typeof__({c.name}) *{c.name};\n" for c in calls)
        out.write("};\n\nextern struct shim_pmpi shim_pmpi;\n\n")
        out.writelines(f"#define P{c.name} (*shim_pmpi.{c.name})\n" for c in calls)


def widened(param):
    """An argument for code that serves both forms: arrays in either width are wrapped."""
    if "[]" in param.decl and param.name.endswith("counts"):
        return f"shim_counts({param.name})"
    if "[]" in param.decl and param.name.endswith("displs"):
        return f"ROUTE_DISPLS({param.name})"
    return param.name


def entry(call, body):
    """The function that stands in the table for the call, as lines of a macro."""
    return [f"\tstatic int {call.name[4:]}({call.decl()})", "\t{", "\t\tint rc;"] + [
        f"\t\t{line}" for line in body] + ["\t}"]


def real(call):
    return f"REAL({call.name[4:]})({call.args()})"


def entry_try(call):
    """TRY says whether the scheduler has it, and then what came of it."""
    args = ", ".join(widened(p) for p in call.params)
    return entry(call, [f"if (TRY({call.symbol()}, &rc, {args}))", "\treturn rc;",
                        f"return {real(call)};"])


def entry_around(call):
    """MPI's call with something before and after it."""
    return entry(call, ["BEGIN;", f"rc = {real(call)};", "return END;"])


def entry_collective(call):
    """MAKE puts the arguments in a struct, which the function for the form takes."""
    form = "form_init" if call.has("info") else "form_post" if call.has("request") else "form_run"
    own = [p.name for p in call.params if p.name in ("info", "request")]
    args = ", ".join(widened(p) for p in call.params if p.name not in own)
    return entry(call, [f"struct route_call call = {{ .name = {call.symbol()} }};",
                        f"MAKE(&call, {args});",
                        f"if ({form}({', '.join(['&call', '&rc'] + own)}))", "\treturn rc;",
                        f"return {real(call)};"])


def entry_install(call):
    return [f"\t(table)->{call.name} = {call.name[4:]};"]


def write_macros(out, head, forms, lines_of):
    """A macro for each name, of the lines of all its forms."""
    for name, calls in forms.items():
        lines = [line for call in calls for line in lines_of(call)]
        out.write(" \\\n".join([f"#define {head.format(name)}"] + lines) + "\n\n")


def write_forms(path, calls):
    plain, collectives = {}, {}
    for call in calls:
        if call.ret != "int" or call.kind == "manual" or not call.params:
            continue
        name, _ = collective_of(call)
        if name and not name.startswith("Neighbor_"):
            collectives.setdefault(name, []).append(call)
        else:
            plain.setdefault(call.base()[4:], []).append(call)
    with open(path, "w", encoding="utf-8") as out:
        out.write(MARK)
        write_macros(out, "ROUTE_TRY_{}(TRY)", plain, entry_try)
        write_macros(out, "ROUTE_AROUND_{}(BEGIN, END)", plain, entry_around)
        write_macros(out, "ROUTE_COLL_{}(MAKE)", collectives, entry_collective)
        write_macros(out, "ROUTE_INSTALL_{}(table)", plain | collectives, entry_install)


def write_wrappers(path, calls):
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"{MARK}#include \"pmpi-shim/record/calls/comms.h\"\n#include \"pmpi-shim/dump/fatal.h\"\n#include \"pmpi-shim/record/findings/objects.h\"\n#include \"pmpi-shim/record/calls/pending.h\"\n#include \"pmpi-shim/route/route.h\"\n#include \"pmpi-shim/shim.h\"\n#include \"pmpi-shim/record/calls/transfer.h\"\n")
        out.writelines(wrapper(call) for call in calls if call.kind != "manual")
    tell_unknown("counted without their bytes, since no rule of gen_wrappers.py fits",
                 [c.name for c in calls if c.kind != "manual" and not known_body(c)])


def main():
    out_c, out_calls, out_pmpi, out_forms, calls_txt, *headers = sys.argv[1:]
    calls = declared_calls(headers, parse_kinds(calls_txt), calls_txt)
    write_calls(out_calls, calls)
    write_pmpi(out_pmpi, calls)
    write_forms(out_forms, calls)
    write_wrappers(out_c, calls)


if __name__ == "__main__":
    main()
