#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_many_paths.sh PROGRAM
# Calls whose path finds no room in BCS_MEMORY are counted in the record, and the report
# says how many they are.  With room for all nothing is said.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

n=20000
program=$1

# cut MEMORY: how many calls of rank 0 were, and the report of the run in $out/report.
cut() {
	forget
	BCS_MEMORY=$1 observed 1 "$program" $n >"$out/said" 2>&1 ||
		fail "$1: ended with $?: $(cat "$out/said")"
	record=$(the_record)
	"$BCS_BUILD/analyzer/bcs" report "$record" >"$out/report"
	value "$record"/rank-000000.gz cut_calls
}

none=$(cut 16M)
[ "$none" = 0 ] || fail "16M: $none calls found no room"
! grep -q "no room for their whole path" "$out/report" || fail "$(cat "$out/report")"

some=$(cut 256K)
[ "$some" -gt $((n / 2)) ] || fail "256K: only $some calls found no room"
[ "$some" -le "$n" ] || fail "256K: $some of $n calls found no room"
# The report breaks its lines.
tr -s ' \n' ' ' <"$out/report" >"$out/line"
grep -q "$some of [0-9]* calls found no room for their whole path" "$out/line" ||
	fail "not told: $(cat "$out/report")"
