#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_ompi_exports.sh SHIM LIBMPI
# The preload for Open MPI exports each function of the library twice, as MPI_ for C and
# as PMPI_ for Fortran's procedures, but for what calls.txt skips, and little else.
# Functions with names in capitals are callbacks and Fortran's own.  Of a library before
# version 5 it has also what version 5 brings (ompi/later.h).
set -eu

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

nm -D --defined-only "$2" |
	awk '$2 ~ /[TWi]/ && $3 ~ /^MPI_.*[a-z]/ { print $3 }' | sort >"$out/library"
[ -s "$out/library" ]
grep -oE '^(extern int )?MPI_[A-Za-z_]+\(' "$BCS_SOURCE/pmpi-shim/ompi/later.h" |
	sed 's/.* //; s/(//' | sort >"$out/later"
[ "$(wc -l <"$out/later")" -gt 40 ]
if grep -q '^MPI_Session_init$' "$out/library"; then
	comm -13 "$out/library" "$out/later" >"$out/unknown"
	[ ! -s "$out/unknown" ] || {
		echo "the library has none of these: $(cat "$out/unknown")" >&2
		exit 1
	}
fi
awk '$2 == "skip" { print $1 }' "$BCS_SOURCE/pmpi-shim/gen/calls.txt" |
	sort >"$out/skipped"
sort -u "$out/library" "$out/later" |
	comm -23 - "$out/skipped" >"$out/calls"
{
	cat "$out/calls"
	sed 's/^/P/' "$out/calls"
	# An error ends a program by the first, and it may leave by the others.
	printf '%s\n' ompi_errhandler_invoke _Exit _exit dlclose
} | sort >"$out/expected"

nm -D --defined-only "$1" | awk '{ print $3 }' | sort >"$out/exported"
diff -u "$out/expected" "$out/exported"

# It may come before a program that has no MPI yet.
if nm -D --undefined-only "$1" | grep -E ' P?MPI_| ompi_'; then
	echo "these have to be looked up, not linked" >&2
	exit 1
fi
