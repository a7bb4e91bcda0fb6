#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_f08_exports.sh SHIM LIBMPICHFORT
# The preload exports those procedures of the mpi_f08 module that do not call MPI_*
# themselves, as libmpichfort has them, but for what f08.txt skips; and what it has for
# later versions.
set -eu

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

procedures() {
	nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' |
		grep -E '^mpix?_[a-z0-9_]*_f08(ts)?(_large)?_$' | sort
}

procedures "$2" | grep -v _f08ts >"$out/library"
awk '$2 == "skip" { print $1 }' "$BCS_SOURCE/pmpi-shim/gen/f08.txt" |
	sort >"$out/skipped"
awk '$2 == "later" { print $1 }' "$BCS_SOURCE/pmpi-shim/gen/f08.txt" |
	sort -u - "$out/library" | comm -23 - "$out/skipped" >"$out/expected"
[ -s "$out/expected" ]
procedures "$1" >"$out/exported"
diff -u "$out/expected" "$out/exported"
