#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_deadlock.sh MODE NODE_SIZE DEADLOCK SUSPICIOUS
# Ranks that wait for each other only are reported, and end with status 79.
# Programs that only look like a deadlock go on (suspicious.c).
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$3
suspicious=$4
export BCS_MODE="$1" BCS_NODE_SIZE="$2"

# finds HOW PATTERN: that stands in the line about it.
finds() {
	forget
	status observed 4 "$program" "$1" </dev/null >"$out/said" 2>&1
	[ "$rc" -eq 79 ] || fail "$1: status $rc: $(cat "$out/said")"
	[ "$(grep -c "^bcs: deadlock: " "$out/said")" -eq 1 ] ||
		fail "$1: not told once: $(cat "$out/said")"
	grep -qE "^bcs: deadlock: .*$2" "$out/said" ||
		fail "$1: not told: $2: $(cat "$out/said")"
}

finds recv_recv "MPI_Recv from [0-3], tag 0 on MPI_COMM_WORLD at deadlock\+0x"
for file in "$(the_record)"/rank-*.gz; do
	table "$file" findings text | grep -q "^deadlock:" ||
		fail "not on record: $file"
done
"$BCS_BUILD/analyzer/bcs" report --section=run "$(the_record)" |
	grep -q "Ended  *ended for a deadlock (BCS_DEADLOCK=abort)" ||
	fail "another end: $("$BCS_BUILD/analyzer/bcs" report --section=run "$(the_record)")"
finds tag "rank 1 waits in MPI_Recv from 3, tag 7 .*\(one from 3 with tag 8 is"
# It is told as soon as some of them can never go on, of whom rank 1 is one: others may be late.
with1="(rank 1 waits|ranks 1(, [23])+ wait)"
and1="(rank 1 waits|ranks (0, 1(, 3)?|1, 3) wait)"
for2="(rank [013] waits|ranks [013](, [013])+ wait)" # none of these is needed by rank 2
finds makes "$with1 in MPI_Comm_dup on MPI_COMM_WORLD"
[ "$(grep -cE "ranks.* wait in MPI_Comm_dup" "$out/said")" -eq 0 ] ||
	grep -q "rank 0 is the odd one" "$out/said" || fail "odd one: $(cat "$out/said")"
finds window "rank 0 waits in MPI_Ssend to 1, tag 7 .*$with1 in MPI_Win_create on MPI_COMM_WORLD"
finds waitany "in MPI_Waitany from [0-3], tag 0 or from [0-3], tag 1"
finds ibarrier "$with1 in MPI_Wait on MPI_COMM_WORLD at [^ ]*, for MPI_Ibarrier begun at deadlock\+0x[^ ]*, which rank 0 has not called"
finds finalize "in MPI_Recv from 2, .*; rank 2 is in MPI_Finalize"
finds partial "rank 0 waits .* from 1, .*; rank 1 waits .* from 0,"
finds graph "$and1 in MPI_Dist_graph_create_adjacent on MPI_COMM_WORLD"
finds win_free "$for2 in MPI_Win_free on MPI_COMM_WORLD at .*; rank 2 is in MPI_Finalize"
finds idup "$and1 in MPI_Wait on MPI_COMM_WORLD at [^ ]*, for MPI_Comm_idup begun at deadlock\+0x[^ ]*, which rank 2 has not called"
finds write_all "$and1 in MPI_File_write_at_all on MPI_COMM_WORLD at .*; rank 2 waits in MPI_Recv"
finds file_close "$for2 in MPI_File_close on MPI_COMM_WORLD at .*; rank 2 is in MPI_Finalize"
# What is posted reaches the graph from other nodes as from this one.
if [ "$BCS_NODE_SIZE" = 0 ]; then
	finds ring "in MPI_Ssend to [0-3], tag 5 .*for a receive that nobody has posted"
	finds large "in MPI_Send to [0-3], tag 0"
	finds source "rank 1 waits in MPI_Recv from 2, .*\(one from 3 with tag 7 is"
	finds comm "rank 1 waits in MPI_Recv from 3, .*, on another communicator\)"
	finds two_comms "in MPI_Barrier on a communicator of 4 at"
	finds any "ranks .* wait in MPI_Recv from any, tag 0"
	finds waitall "in MPI_Waitall from [0-3], tag 0 and from [0-3], tag 1"
	finds probe "in MPI_Probe from [0-3], tag 3"
	for call in Cart_sub Graph_create File_set_view File_write_ordered File_read_ordered; do
		finds "$(echo "${call#File_}" | tr '[:upper:]' '[:lower:]')" \
			"$and1 in MPI_$call on .*; rank 2 waits in MPI_Recv from 1"
	done
fi

# is_none RANKS HOW...: goes on, and nothing is told.
is_none() {
	ranks=$1
	shift
	status observed "$ranks" "$suspicious" "$@" </dev/null >"$out/said" 2>&1
	[ "$rc" -eq 0 ] || fail "$*: status $rc: $(cat "$out/said")"
	if grep "^bcs: deadlock" "$out/said"; then
		fail "$*: told of what there was not"
	fi
}

is_none 2 window sleeps polls native handler waitany background file idup
export BCS_STRICT=buffers
finds fence "$and1 in MPI_Win_fence on MPI_COMM_WORLD at .*; rank 2 waits in MPI_Recv from 1"
# In slices these stay MPI's.  Rank 0 has what it needs, and is in MPI itself.
if [ "$BCS_MODE" = demand ]; then
	finds neighbor "$and1 in MPI_Neighbor_alltoall on a communicator of 4 at .*; rank 2 waits in MPI_Recv from 1"
	finds ineighbor "$and1 in MPI_Wait on a communicator of 4 at [^ ]*, for MPI_Ineighbor_allgather begun at [^ ]*, which rank 2 has not called"
fi
is_none 2 fence neighbor
unset BCS_STRICT
is_none 2 thread file_threads
is_none 2 async
is_none 3 has_called
# So a large message takes many slices.
export BCS_BCAST=pipeline BCS_BUDGET=256K
is_none 4 queued passes_on
