# SPDX-License-Identifier: BSD-3-Clause
"""How a wrapper of the mpi_f08 module hands its arguments on.

The module's procedures take every argument by address, and the lengths of strings
by value behind them all.  Statuses and handles, but for files, lie in memory as in
C; f08.h has what is needed for the others.
"""
import re
from dataclasses import dataclass, field

import gen_wrappers

PARAM = re.compile(r"(?P<type>.*?)(?P<name>\w+|\.\.\.)(?P<dims>(?:\[\d*\])*)$")

C_TYPES = {"INTEGER4": ("int",), "INTEGER8": ("MPI_Aint", "MPI_Count", "MPI_Offset"),
           "LOGICAL4": ("int",), "CHARACTER1": ("char",), "C_ptr": ("void",)}

# Of requests: C counts them from 0, the module's own procedures from 1.
INDICES = ("index", "indx", "array_of_indices")


@dataclass
class Param:            # of a C function
    decl: str
    name: str
    base: str           # the type without const and without pointers
    depth: int          # 0 by value, 1 by pointer or array, ...

    def suits(self, dummy):
        types = C_TYPES.get(dummy.type, ())
        return self.name == dummy.name and (
            self.base in types or self.base.lower() == dummy.type.lower())


@dataclass
class Wrapper:
    symbol: str
    kind: str
    call: gen_wrappers.Call
    dummies: list                                   # of the procedure
    cparams: list                                   # of the C function
    params: list = field(default_factory=list)      # declarations
    before: list = field(default_factory=list)      # statements
    args: list = field(default_factory=list)        # expressions
    after: list = field(default_factory=list)       # statements

    def lengths(self):
        return [f"{d.name}_len" for d in self.dummies if d.type == "CHARACTER1"]

    def head(self):
        params = self.params + ["int *ierror"] + [f"size_t {n}" for n in self.lengths()]
        return f"void {self.symbol}({', '.join(params)})"


def parse_param(param):
    m = PARAM.match(param.decl)
    base = m["type"].replace("*", "").replace("const", "").strip()
    return Param(param.decl, param.name, base, m["type"].count("*") + bool(m["dims"]))


def is_weights(d):
    return d.type == "INTEGER4" and d.shape and d.name.endswith("weights")


def is_known(d):
    """A plain address, compared by the library with no constant unknown to f08.c."""
    plain = d.shape in ("", "EXPLICIT", "ASSUMED_SIZE")
    compared = "TARGET" in d.flags and d.type != "Mpi_status" and not is_weights(d)
    return plain and not compared and not {"VALUE", "OPTIONAL"} & set(d.flags)


def convert_file(w, d, p):
    w.params.append(f"{'' if p.depth else 'const '}int *{p.name}")
    first = "MPI_FILE_NULL" if d.intent == "OUT" else f"f08_file_f2c(*{p.name})"
    w.before.append(f"MPI_File c_{p.name} = {first};")
    w.args.append(f"{'&' if p.depth else ''}c_{p.name}")
    if p.depth:
        w.after.append(f"*{p.name} = f08_file_c2f(c_{p.name});")


def convert_string(w, p):
    w.params.append(p.decl)
    w.before.append(f"char *c_{p.name} = f08_string({p.name}, {p.name}_len);")
    w.args.append(f"c_{p.name}")
    w.after.append(f"free(c_{p.name});")


def convert_value(w, p):
    w.params.append(f"const {p.base} *{p.name}")
    w.args.append(f"*{p.name}")


def convert_address(w, d, p):
    w.params.append(p.decl)
    if d.type == "Mpi_status" and d.intent == "OUT":
        w.args.append(f"{'f08_statuses' if d.shape else 'f08_status'}({p.name})")
    elif is_weights(d):
        w.args.append(f"f08_weights({p.name})")
    else:
        w.args.append(p.name)
    if d.type == "LOGICAL4" and d.intent != "IN":
        w.after.append(f"f08_logicals({p.name}, {'*' + d.extent if d.shape else '1'});")


def convert(w, d, p):
    """Adds an argument; says no where it knows of no conversion."""
    value = p.depth == 0 and not d.shape and d.intent == "IN"
    if not is_known(d) or not p.suits(d) or not (value or p.depth == 1):
        return False
    if d.type == "CHARACTER1" and (value or d.shape or d.intent != "IN"):
        return False
    if d.name in INDICES and d.intent == "OUT" and w.kind != "manual":
        return False
    unbounded = d.type == "LOGICAL4" and d.intent != "IN" and not d.extent
    if d.shape and (d.type == "Mpi_file" or unbounded):
        return False
    if d.type == "CHARACTER1":
        convert_string(w, p)
    elif d.type == "Mpi_file":
        convert_file(w, d, p)
    elif value:
        convert_value(w, p)
    else:
        convert_address(w, d, p)
    return True


def forward(w):
    """To the C function.  Returns None, or the argument that is in the way."""
    names = [d.name for d in w.dummies]
    dummies = iter(w.dummies[:-1])
    for p in w.cparams:
        if p.name in ("argc", "argv") and p.name not in names:
            w.args.append("NULL" if p.depth else "0")
        elif p.name != "...":
            d = next(dummies, None)
            if d is None or not convert(w, d, p):
                return p.name
    return next((d.name for d in dummies), None)


def pass_on(w):
    """To the MPI library's procedure."""
    for d in w.dummies[:-1]:
        typed = [p.decl for p in w.cparams if p.depth == 1 and p.suits(d)]
        untyped = ("f08_fn *" if d.type == "PROCEDURE" else "void *") + d.name
        w.params.append(typed[0] if typed else untyped)
        w.args.append(d.name)
