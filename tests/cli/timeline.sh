#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: timeline.sh
# What `bcs report --timeline` draws of a trace, and what it says where there is none.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

# Two rounds of 100 us, after MPI_Init; a letter is 4.62 us.  In a round rank 0 is in
# MPI_Waitall from 40 to 65 us.  From 84 to 90 us it waits in MPI_Allreduce for rank 1.
# Rank 1 waits in MPI_Recv from 66 to 81 us.
synth=$BCS_BUILD/tests/cli/synth_trace
"$synth" few.bcs 3 2
"$bcs" report --timeline --width=60 few.bcs/ >few.txt
cat >wanted.txt <<END
       50.000 us                                  295.000 us
rank 0 ...................WWWWWW....wC..........WWWWWW....wC
rank 1 ........................Wwww..C..............WWwww..C
rank 2 ...................WWWWWW....wC..........WWWWWW....wC
C in a collective  W completes requests
w waits for another rank  . computes
END
diff wanted.txt few.txt || fail "few.bcs"
(mkdir newest && cp -r few.bcs newest && cd newest &&
	"$bcs" report --timeline -w 60) | diff few.txt - || fail "the newest"

# Some of the ranks, and two records.
"$bcs" report --timeline --width=60 --rank=1 few.bcs >one.txt
grep '^rank' one.txt | cut -d ' ' -f 2 | grep -qx 1 || fail "rank 1: $(cat one.txt)"
"$bcs" report --timeline --width=60 few.bcs few.bcs |
	grep -c '^few.bcs:$' | grep -qx 2 || fail "two records"

# Many ranks share lines, and no line is too long.
"$synth" many.bcs 150 4
"$bcs" report --timeline --width=90 many.bcs >many.txt
[ "$(grep -c '^rank' many.txt)" -eq 50 ] || fail "lines: $(grep -c '^rank' many.txt)"
grep -q '^rank 147-149 ' many.txt || fail "groups: $(cat many.txt)"
awk 'length > 90 { exit 1 }' many.txt || fail "a long line"

# What was cut off is there as far as it goes.
mkdir cut.bcs
head -c 500 few.bcs/rank-000000.trace >cut.bcs/rank-000000.trace
"$bcs" report --timeline cut.bcs >cut.txt 2>stderr || fail "cut.bcs"
grep -q 'rank-000000.trace' stderr || fail "cut.bcs: $(cat stderr)"

solve_record solve.42.bcs
fails 2 "solve.42.bcs: has no trace; record one with bcs run --trace" \
	"$bcs" report --timeline solve.42.bcs
fails 2 "none.bcs: No such file" "$bcs" report --timeline none.bcs
fails 2 "of these ranks" "$bcs" report --timeline --rank=9 few.bcs
fails 2 "--json has no effect with --timeline" "$bcs" report --timeline --json few.bcs
fails 2 "--top has no effect with --timeline" "$bcs" report --top=3 --timeline few.bcs
