#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_ompi_exports.sh SHIM LIBMPI
# The preload for Open MPI exports each function of the library twice, as MPI_ for C and
# as PMPI_ for Fortran's procedures, but for what calls.txt skips, and little else.
# Functions with names in capitals are callbacks and Fortran's own.
set -eu

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

nm -D --defined-only "$2" |
	awk '$2 ~ /[TWi]/ && $3 ~ /^MPI_.*[a-z]/ { print $3 }' | sort >"$out/library"
[ -s "$out/library" ]
awk '$2 == "skip" { print $1 }' "$BCS_SOURCE/pmpi-shim/gen/calls.txt" |
	sort >"$out/skipped"
comm -23 "$out/library" "$out/skipped" >"$out/calls"
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
