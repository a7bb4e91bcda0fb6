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
# The places have no unwind tables: it is a guess that main called them.
guessed=$(value "$(the_record)"/rank-000000.gz guessed_calls)
[ "$guessed" -eq $n ] || fail "16M: $guessed calls with a guess, not $n"
tr -s ' \n' ' ' <"$out/report" >"$out/line"
grep -q "$n of [0-9]* calls, .* came through code without unwind tables (made at run time)" \
	"$out/line" || fail "no guess told: $(cat "$out/report")"

some=$(cut 256K)
[ "$some" -gt $((n / 2)) ] || fail "256K: only $some calls found no room"
[ "$some" -le "$n" ] || fail "256K: $some of $n calls found no room"
# The report breaks its lines.
tr -s ' \n' ' ' <"$out/report" >"$out/line"
grep -q "$some of [0-9]* calls, which took [0-9.]* [mu]*s ([0-9.]* % of Communication), found \
no room for their whole path" "$out/line" || fail "not told: $(cat "$out/report")"
# Nearly all calls are, and so is nearly all of the time.
time=$(value "$(the_record)"/rank-000000.gz cut_ns)
all=$(table "$(the_record)"/rank-000000.gz threads communication_ns)
[ "$time" -le "$all" ] || fail "256K: $time ns of $all"
[ "$time" -gt $((all / 2)) ] || fail "256K: only $time ns of $all"
