#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_gen_wrappers.sh [--update]
# The generators of the wrappers, and of the functions that check buffers, write what
# they ought to for a small header.  Input that cannot be right ends with a message that
# names the place.
set -eu

data=$BCS_SOURCE/tests/gen/gen_wrappers
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
written="shim_wrappers.c shim_calls.h shim_pmpi.h shim_forms.h shim_buffers.c"

# generate CALLS_TXT HEADER...
generate() {
	(cd "$out" && python3 "$BCS_SOURCE/pmpi-shim/gen/gen_wrappers.py" \
		shim_wrappers.c shim_calls.h shim_pmpi.h shim_forms.h "$@")
}

# refused MESSAGE CALLS_TXT HEADER...
refused() {
	message=$1
	shift
	if generate "$@" 2>"$out/err"; then
		echo "taken: $*" >&2
		exit 1
	fi
	if [ "$(wc -l <"$out/err")" -ne 1 ] || ! grep -q "$message" "$out/err"; then
		cat "$out/err" >&2
		exit 1
	fi
}

generate "$data/calls.txt" "$data/mpi_proto.h" "$data/mpio.h"
python3 "$BCS_SOURCE/pmpi-shim/gen/gen_buffers.py" "$out/shim_buffers.c" \
	"$data/calls.txt" "$data/mpi_proto.h" "$data/mpio.h"
for file in $written; do
	[ "${1-}" != --update ] || cp "$out/$file" "$data"
	diff -u "$data/$file" "$out/$file"
done

refused 'malformed.txt:2: ' "$data/malformed.txt" "$data/mpi_proto.h"
refused 'kind.txt:1: ' "$data/kind.txt" "$data/mpi_proto.h"
refused 'twice.txt:2: ' "$data/twice.txt" "$data/mpi_proto.h"
refused 'unknown.txt: no header declares MPI_Nosuch' \
	"$data/unknown.txt" "$data/mpi_proto.h"

# A function of a newer MPICH is counted by its name, and the build says so.
generate /dev/null "$data/odd.h" 2>"$out/err"
grep -q '^counted without their bytes.*: MPI_Teleport$' "$out/err" || {
	cat "$out/err" >&2
	exit 1
}
grep -q 'f = shim_enter(SHIM_MPI_Teleport)' "$out/shim_wrappers.c"
