#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: merge.sh
# `bcs merge` puts parts of a record together, and takes nothing that is not one.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

solve_record whole.bcs
for beside in slices trace trace2 schedule; do
	echo $beside >whole.bcs/rank-000001.$beside
done
mkdir a.bcs b.bcs
cp whole.bcs/rank-000000.gz a.bcs
cp whole.bcs/rank-00000[12].* b.bcs

"$bcs" merge one.bcs a.bcs b.bcs/ >said 2>&1 || fail "status $?: $(cat said)"
diff -r whole.bcs one.bcs || fail "not the whole record"
"$bcs" report whole.bcs | sed 's/whole/one/' >expected
"$bcs" report one.bcs | diff expected - || fail "another report"

fails 2 "one.bcs: is there already" "$bcs" merge one.bcs a.bcs b.bcs
fails 2 "rank-000000.gz: is in a.bcs/rank-000000.gz, too" \
	"$bcs" merge two.bcs a.bcs whole.bcs
[ ! -e two.bcs ] || fail "a folder for nothing"
fails 2 "into which folder" "$bcs" merge two.bcs
fails 2 "none.bcs: No such file" "$bcs" merge two.bcs a.bcs none.bcs
mkdir other.bcs
{
	begin 1 9 program other
	end
} >other.bcs/rank-000001.gz
fails 2 "a.bcs is of solve of 3 ranks, other.bcs of other of 9" \
	"$bcs" merge two.bcs a.bcs other.bcs
fails 2 "nowhere/two.bcs: No such file" "$bcs" merge nowhere/two.bcs a.bcs

# What a process left that was killed goes with the record.
mkdir killed.bcs
cp "$BCS_SOURCE/tests/fuzz/corpus/flight/good" killed.bcs/rank-000001.flight
"$bcs" merge three.bcs killed.bcs >said 2>&1 || fail "killed: $(cat said)"
diff -r killed.bcs three.bcs || fail "without the flight recorder"
