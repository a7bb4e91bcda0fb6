#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_crowd.sh PROGRAM
# What is done on communicators that find no row (programs/crowd.c) is counted
# all the same, and that they found none is said.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

observed 1 "$1"
file=$(the_record)/rank-000000.gz

calls "$(the_record)" >"$out/calls"
for line in "MPI_Neighbor_allgather 600 2400 4800" \
	"MPI_Sendrecv 600 2400 2400"; do
	grep -qx "0 $line" "$out/calls" || fail "$(cat "$out/calls")"
done

rows=$(table "$file" communicators communicator | wc -l)
[ "$rows" -lt 600 ] || fail "all $rows communicators have a row"
[ "$(table "$file" peers sends | awk '{ n += $1 } END { print n }')" -eq \
	$((rows)) ] || fail "messages of $rows communicators are not with peers"
table "$file" notes text | grep -q "found%20no%20room" ||
	fail "it is not said that some have none"
