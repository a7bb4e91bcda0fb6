#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_account.sh PROGRAM
# Computation and communication add up to the wall time to 0.001 %, and each is
# at least what PROGRAM (programs/account.c) is known to spend, as both ranks
# run for 400 ms: rank 0 computes all of it, rank 1 half, and waits half.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# account RANK COMPUTED_MS WAITED_MS
account() {
	file=$record/rank-00000$1.gz
	table "$file" threads "computation_ns communication_ns waiting_ns" |
	awk -v wall="$(value "$file" wall_ns)" -v rank="$1" \
		-v computed="$2" -v waited="$3" '
	function bad(text) {
		print "rank " rank ": " text > "/dev/stderr"
		failed = 1
	}
	{
		off = $1 + $2 - wall
		if (off > wall * 1e-5 || off < -wall * 1e-5)
			bad($1 " + " $2 " is not " wall " ns")
		if ($1 < computed * 1e6)
			bad("computed " $1 " ns, not " computed " ms")
		if ($2 < waited * 1e6)
			bad("communicated " $2 " ns, not " waited " ms")
		if ($3 > $2)
			bad("waited " $3 " of " $2 " ns")
	}
	END {
		if (NR != 1)
			bad(NR " threads")
		exit failed
	}'
}

times_are_right() {
	forget
	observed 2 "$1"
	record=$(the_record)
	account 0 400 0
	# Its barriers begin a little late where the ranks start apart.
	account 1 200 180

	# The same time once more, by call: what is lost here is lost to the user.
	for file in "$record"/*.gz; do
		table "$file" cells "call time_ns" |
		awk -v all="$(table "$file" threads communication_ns)" '
		$1 != "MPI_Init" && $1 != "MPI_Finalize" { sum += $2 }
		END {
			off = sum - all
			if (off > all * 1e-3 || off < -all * 1e-3) {
				print "calls took " sum " of " all " ns" > "/dev/stderr"
				exit 1
			}
		}'
	done
}
tries times_are_right "$1"

# Who was not to record is not missed; who was, is.
forget
BCS_RANKS=1 BCS_CALLSITE_DEPTH=0 observed 2 "$1"
"$BCS_BUILD/analyzer/bcs" report "$(the_record)" >"$out/report"
! grep "left no record" "$out/report" >&9 || fail "rank 0 is missed"
grep -q "Recording .*, no call paths," "$out/report" ||
	fail "how deep call paths are: $(cat "$out/report")"
forget
observed 2 "$1"
rm "$(the_record)/rank-000000.gz"
"$BCS_BUILD/analyzer/bcs" report "$(the_record)" >"$out/report"
grep -q "rank 0 of 2 left no record" "$out/report" || fail "rank 0 is not missed"
