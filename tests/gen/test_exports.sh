#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_exports.sh SHIM LIBMPI
# The preload exports what the MPI library does, but for what calls.txt skips, and
# little else.  The library is the judge: the headers are where the wrappers come
# from, so they would be wrong together.  Of a library before MPI 4.1 it has also what that
# brings for scheduled messages (mpich/later.h).  Of Fortran test_f08_exports.sh asks.
set -eu

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

nm -D --defined-only "$2" |
	awk '$2 ~ /[TWi]/ && $3 ~ /^MPIX?_/ { print $3 }' | sort >"$out/library"
[ -s "$out/library" ]
awk '$2 == "skip" { print $1 }' "$BCS_SOURCE/pmpi-shim/gen/calls.txt" |
	sort >"$out/skipped"
grep -oE '^int MPI_[A-Za-z_]+\(' "$BCS_SOURCE/pmpi-shim/mpich/later.h" |
	sed 's/.* //; s/(//' | sort >"$out/later"
[ -s "$out/later" ]
if grep -q '^MPI_Request_get_status_any$' "$out/library"; then
	comm -13 "$out/library" "$out/later" >"$out/unknown"
	[ ! -s "$out/unknown" ] || {
		echo "the library has none of these: $(cat "$out/unknown")" >&2
		exit 1
	}
fi
{
	sort -u "$out/library" "$out/later" | comm -23 - "$out/skipped"
	# An error ends a program by the first, and it may leave by the next two; MPI
	# waits in one of those, and disconnects.
	printf '%s\n' MPIR_Err_return_comm _Exit _exit dlclose ucp_disconnect_nb \
		ucp_worker_progress
} | sort >"$out/expected"

nm -D --defined-only "$1" | awk '{ print $3 }' |
	grep -vE '^mpix?_.*_f08' | sort >"$out/exported"
diff -u "$out/expected" "$out/exported"

# It comes before every program, most of which have no MPI.
if nm -D --undefined-only "$1" | grep -E ' P?MPIX?_| ucp_'; then
	echo "these have to be looked up, not linked" >&2
	exit 1
fi
