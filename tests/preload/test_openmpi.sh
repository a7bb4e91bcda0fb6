#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_openmpi.sh CC
# A program that is linked with Open MPI, or with the library of MPI's standard
# ABI, is refused: its handles are not ours.  Open MPI's launcher is told of.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# Of the standard ABI only the name of the library matters here.
echo 'int MPI_Init(int *n, char ***v) { return !n && !v; }' >"$out/abi.c"
echo 'int MPI_Init(int *, char ***); int main(void) { return MPI_Init(0, 0); }' \
	>"$out/program.c"
"$1" -shared -fPIC -Wl,-soname,libmpi_abi.so.1 -o "$out/libmpi_abi.so.1" "$out/abi.c"
"$1" -o "$out/program" "$out/program.c" "$out/libmpi_abi.so.1"
status env LD_LIBRARY_PATH="$out" LD_PRELOAD="$preload" "$out/program" \
	2>"$out/stderr"
[ "$rc" -eq 2 ] || fail "a program of the standard ABI ended with $rc"
grep -q '^bcs: .*libmpi_abi' "$out/stderr" || {
	cat "$out/stderr" >&2
	fail "it was not said that it uses the standard ABI"
}

for rank in 0 1; do
	OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=$rank BCS_OUT=$records \
		LD_PRELOAD=$preload "$2" 2>>"$out/alone" >/dev/null
done
[ "$(grep -c "^bcs: Open MPI's mpiexec started 2 programs" "$out/alone")" -eq 1 ] || {
	cat "$out/alone" >&2
	fail "it was not said once that each rank is alone"
}

program=$(echo /usr/lib/*/scalapack/openmpi-tests/xdlu)
[ -x "$program" ] || skip "there is no Open MPI program"
cd "$(dirname "$program")"
LD_PRELOAD=$preload timeout "$limit" "$program" >"$out/stdout" 2>"$out/stderr" &&
	fail "it was not refused"
grep -q '^bcs: .*Open MPI' "$out/stderr" || {
	cat "$out/stderr" >&2
	fail "it was not said why"
}
