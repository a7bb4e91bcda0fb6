#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_f08_gen.sh [--update]
# Compares what the generator writes of a small module with what it ought to; and
# what cannot be right ends with a message that names the place.
set -eu

data=$BCS_SOURCE/tests/gen/gen_f08
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# generate F08_TXT [MODULE]
generate() {
	python3 "$BCS_SOURCE/pmpi-shim/gen/gen_f08.py" "$out/shim_f08.c" \
		"$out/shim_f08.h" "$1" "$data/calls.txt" \
		"${2-$out/mpi_f08.mod}" "$data/mpi_proto.h"
}

# refused MESSAGE F08_TXT [MODULE]
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

gzip -n <"$data/mpi_f08.mod.txt" >"$out/mpi_f08.mod"
generate "$data/f08.txt"
if [ "${1-}" = --update ]; then
	cp "$out/shim_f08.c" "$out/shim_f08.h" "$data"
fi
diff -u "$data/shim_f08.c" "$out/shim_f08.c"
diff -u "$data/shim_f08.h" "$out/shim_f08.h"

# Procedures of a newer MPICH: the library's own are called where an argument
# cannot be converted; what cannot be called from C is left alone, and listed.
for listed in callback string; do
	generate "$data/$listed.txt"
	diff -u "$data/shim_f08.c" "$out/shim_f08.c"
done
generate "$data/function.txt" 2>"$out/err"
diff -u "$data/shim_f08.c" "$out/shim_f08.c"
grep -q '^not recorded in .*: mpi_wtime_f08$' "$out/err" || {
	cat "$out/err" >&2
	exit 1
}
refused 'unknown.txt: .* declares no mpi_nosuch_f08_' "$data/unknown.txt"
refused 'malformed.txt:5: ' "$data/malformed.txt"

sed "1s/version '15'/version '99'/" "$data/mpi_f08.mod.txt" |
	gzip -n >"$out/newer.mod"
refused 'newer.mod:1: not a module file of gfortran, version 15 or 16' \
	"$data/f08.txt" "$out/newer.mod"
head -c 1000 "$out/mpi_f08.mod" >"$out/short.mod"
refused 'short.mod: ' "$data/f08.txt" "$out/short.mod"
refused 'mpi_f08.mod.txt: ' "$data/f08.txt" "$data/mpi_f08.mod.txt"
