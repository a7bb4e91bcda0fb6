#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_f08_same.sh PROGRAM
# Through the wrappers the procedures of mpi_f08 lead to the same C calls, with the
# same arguments and results, as by themselves (see f08/gen_same.py).
. "$BCS_SOURCE/tests/lib.sh"

"$1" >"$out/native"
[ -s "$out/native" ] || fail "$1 said nothing"
LD_PRELOAD=$preload "$1" >"$out/wrapped"
diff -u "$out/native" "$out/wrapped"
