#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_hung.sh PROGRAM
# What a job that hangs is asked for (programs/hung.c): of an MPI_Waitall only what
# did not come yet, and also ranks that compute or are in MPI_Finalize.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

limit=60

# hang ARGUMENT...: the report of what it is in.
hang() {
	forget
	rm -f "$out/go"
	rm -rf "$out/hung.bcs"
	BCS_SAVE=0 observed 3 "$program" "$out/go" "$@" >"$out/stdout" 2>&1 &
	job=$!
	i=0
	while [ "$(find "$records" -name 'rank-*.gz' | wc -l)" -lt 3 ] &&
		[ $((i += 1)) -le 300 ]; do
		sleep 0.1
	done
	cp -r "$(the_record)" "$out/hung.bcs"
	touch "$out/go"
	wait "$job" || fail "ended with $?: $(cat "$out/stdout")"
	"$BCS_BUILD/analyzer/bcs" report --width=200 "$out/hung.bcs" >"$out/report"
}

# told LINE: by the report.
told() {
	grep -q "$1" "$out/report" || fail "not told: $1: $(cat "$out/report")"
}

program=$1
hang
told "rank 0 is in MPI_Waitall for a receive from rank 1, tag 1, for .*hung.c:"
told "rank 1 is in no call of MPI"
told "rank 2 is in MPI_Finalize, for"
told "The calls under way took .* so far"
! grep "tag 0" "$out/report" || fail "a message that came is waited for"

# Of a barrier, who has not come to it.
hang barrier
told "rank 2 is in MPI_Barrier, for .*hung.c:.*; not in it: ranks 0-1$"

# Of a communicator, its members only.
hang some
told "rank 2 is in MPI_Barrier, on a communicator, .*; not in it: rank 1$"
