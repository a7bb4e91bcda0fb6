#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_hung.sh PROGRAM
# What a job that hangs is asked for (programs/hung.c): of an MPI_Waitall only what
# did not come yet, and also ranks that compute or are in MPI_Finalize.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"


# hang ARGUMENT...: begins it.
hang() {
	forget
	rm -f "$out/go"
	BCS_SAVE=0 observed 3 "$program" "$out/go" "$@" >"$out/stdout" 2>&1 &
	job=$!
}

# told LINE [NOT]: by the report, when the ranks have come so far, and NOT is not.
told() {
	i=0
	until "$BCS_BUILD/analyzer/bcs" report --width=200 "$records"/*.bcs \
		>"$out/report" 2>&1 && grep -q "$1" "$out/report" &&
		! grep -q "${2-never}" "$out/report"; do
		[ $((i += 1)) -le 300 ] ||
			fail "not told: $1${2+, or $2 is}: $(cat "$out/report")"
		sleep 0.1
	done
}

# goes_on: ends as if it had not been asked.
goes_on() {
	touch "$out/go"
	wait "$job" || fail "ended with $?: $(cat "$out/stdout")"
}

program=$1
hang
told "rank 0 is in MPI_Waitall for a receive from rank 1, tag 1, for .*hung.c:" \
	"tag 0" # a message that came
told "rank 1 is in no call of MPI"
told "rank 2 is in MPI_Finalize, for"
told "The calls under way took .* so far"
goes_on

# Of a barrier, who has not come to it.
hang barrier
told "rank 2 is in MPI_Barrier, for .*hung.c:.*; not in it: ranks 0-1$"
goes_on

# Of a communicator, its members only.
hang some
told "rank 2 is in MPI_Barrier, on a communicator, .*; not in it: rank 1$"
goes_on
