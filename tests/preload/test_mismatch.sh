#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Collectives that do not fit together are told of, with ranks, calls and
# places, and nobody waits for ever.  usage: MODE PROGRAM
. "$BCS_SOURCE/tests/lib.sh"

mode=$1
program=$2

# says HOW PATTERN...: each of them stands in a line about it; then the program,
# which ends with 0, ends with a status that tells of it.
says() {
	how=$1
	shift
	forget
	expected=76
	[ "$how" != none ] || expected=0
	status env BCS_MODE="$mode" BCS_OUT="$records" LD_PRELOAD="$preload" \
		timeout -k 5 "$limit" mpiexec.mpich -n "$n" "$program" "$how" \
		>"$out/said" 2>&1
	[ "$rc" -eq "$expected" ] ||
		fail "$how: status $rc: $(cat "$out/said")"
	for pattern; do
		grep -q "^bcs: mismatched collectives: $pattern" \
			"$out/said" ||
			fail "$how: not said: $pattern: $(cat "$out/said")"
	done
}

n=2
at="at mismatch+0x[0-9a-f]*"
says call "call 2 on a communicator of 2: rank 1 in MPI_Barrier, $at; \
rank 0 in MPI_Bcast, root 0, 4 bytes, $at"
says root "call 2 .*: rank 0 in MPI_Bcast, root 1, 4 bytes, $at; \
rank 1 in MPI_Bcast, root 0" "call 2 .*: rank 1 in MPI_Bcast, root 0, 4 bytes, \
$at; rank 0 in MPI_Bcast, root 1"
grep -q "^0: error" "$out/said" || fail "root: no error at rank 0"
grep -q "^1: error" "$out/said" || fail "root: no error at rank 1"
table "$(the_record)/rank-000000.gz" findings text |
	grep -q "^mismatched%20collectives:%20call%202" ||
	fail "root: not on record"
# What follows tells file and line of a place.
command=$(sed -n 's/^bcs: `\(addr2line .*\)` tells that line$/\1/p' "$out/said" |
	head -n 1)
[ -n "$command" ] || fail "root: no command for the line"
grep -qE "at mismatch\+${command##* }([,;]|\$)" "$out/said" ||
	fail "root: another place than that of: $command"
sh -c "$command" | grep -q 'mismatch\.c:[0-9]' ||
	fail "root: no line by: $command"
# The same where a shell has to be told how the path is meant.
whole=$program
program="$out/user's folder/mismatch"
mkdir "${program%/*}"
cp "$whole" "$program"
says root "call 2 .*: rank 0 in MPI_Bcast"
command=$(sed -n 's/^bcs: `\(addr2line .*\)` tells that line$/\1/p' "$out/said" |
	head -n 1)
sh -c "$command" | grep -q 'mismatch\.c:[0-9]' ||
	fail "a blank in the path: no line by: $command"
program=$whole
says later "call 2 .*: rank 0 in MPI_Ibcast, root 1, 4 bytes, $at"
says late "call 2 .*: rank 0 in MPI_Bcast, root 0, 4 bytes, $at; \
rank 1 in MPI_Bcast, root 1"
says after "call 2 .*: rank 0 in MPI_Bcast, root 1, 4 bytes, $at; \
rank 1 in MPI_Barrier"
grep -q "^0: error" "$out/said" || fail "after: no error at rank 0"
says op "call 2 .*: rank 0 in MPI_Allreduce, MPI_MAX, 4 bytes, $at; \
rank 1 in MPI_Allreduce, MPI_SUM, 4 bytes"
says count "call 2 .*: rank 0 in MPI_Allreduce, MPI_SUM, 12000 bytes, $at"
says scatter "call 2 .*: rank 0 in MPI_Reduce_scatter_block, MPI_SUM, 88 bytes, $at; \
rank 1 in MPI_Reduce_scatter_block, MPI_SUM, 80 bytes"
for how in gather less own scatter2 allgather alltoallv ialltoall; do
	says "$how" "call 2 on a communicator of 2: rank [01] \
in MPI_[A-Za-z]*.* $at, expects 8 bytes from rank [01], which sent 4"
	if grep "^[01]: error" "$out/said"; then
		fail "$how: MPI has no error for it"
	fi
done
says blocks "call 2 .* rank 1 in MPI_Barrier, $at"
grep -q "rank 0 in MPI_Ibarrier, $at" "$out/said" || fail "blocks: not said: rank 0"
says end "call 2 .*: rank 1 in MPI_Barrier, $at; rank 0 in MPI_Finalize, $at"
grep -q "^1: error" "$out/said" || fail "end: no error at rank 1"
says none
if grep "^bcs: mismatched" "$out/said"; then
	fail "told of what there was not"
fi

# Between nodes, and on one of two: those that do not meet the odd one hear of it.
n=4
for size in 1 2; do
	export BCS_NODE_SIZE=$size
	says odd "call 2 .*: rank [012] in MPI_Allreduce, MPI_SUM, 4 bytes, $at; \
rank 3 in MPI_Bcast, root 0, 4 bytes, $at"
	[ "$(grep -c '^[0-3]: error' "$out/said")" -eq 4 ] ||
		fail "nodes of $size: not all have an error: $(cat "$out/said")"
	says end "call 2 .*: rank [123] in MPI_Barrier, $at; rank 0 in \
MPI_Finalize"
	[ "$(grep -c '^[1-3]: error' "$out/said")" -eq 3 ] ||
		fail "nodes of $size: not all ended: $(cat "$out/said")"
	says none
	if grep "^bcs: mismatched" "$out/said"; then
		fail "nodes of $size: told of what there was not"
	fi
done
