#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_bcs_hang.sh PROGRAM DEADLOCK MODE...
# `bcs hang` shows which calls the ranks of a job (programs/stuck.c) are in, and which
# ranks wait for which.  It is asked by a rank, by mpiexec and by the record, in each
# mode.  The job goes on.  In the mode observe it also shows ranks that wait for each
# other.  Of ranks in a deadlock (programs/deadlock.c) it shows the nonblocking
# collective that they wait for, and a message that nearly fits.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
program=$1
deadlock=$2
shift 2

# the_rank: one of them; they alone hold the record open.
the_rank() {
	find /proc/[0-9]*/fd -lname "$records/*.bcs" 2>/dev/null |
		sed -n '1s,/proc/\([0-9]*\)/.*,\1,p'
}

# shows PATTERN WHAT: asked of that, when the ranks have come so far.
shows() {
	i=0
	until "$bcs" hang --width=200 "$2" >"$out/shown" 2>"$out/errors" &&
		grep -q "$1" "$out/shown"; do
		[ $((i += 1)) -le 300 ] ||
			fail "$BCS_MODE, $2: not shown: $1: $(cat "$out/shown" "$out/errors")"
		sleep 0.1
	done
}

for mode; do
	export BCS_MODE="$mode"
	rm -f "$out/go"
	observed 4 "$program" "$out/go" </dev/null >"$out/said" 2>&1 &
	job=$!
	i=0
	until [ -n "$(the_rank)" ] || [ $((i += 1)) -gt 300 ]; do
		sleep 0.1
	done
	shows "rank 1 is in MPI_Recv from rank 0, tag 7, for .* stuck.c:" \
		"$(the_record)"
	shows "ranks 2-3 are in MPI_Allreduce, .* stuck.c:.*; not in it: ranks 0-1" \
		"$(the_rank)"
	shows "rank 0 is in no call of MPI" "$job"
	shows "ranks 1-3 wait in the end for rank 0, which is in no call of MPI" \
		"$job"
	"$bcs" hang --csv "$job" | grep -q "MPI_Recv" || fail "no CSV"
	touch "$out/go"
	status wait "$job"
	[ "$rc" -eq 0 ] || fail "$mode: ended with $rc: $(cat "$out/said")"
	status "$bcs" hang "$(the_record)" 2>"$out/errors"
	[ "$rc" -eq 2 ] || fail "$mode: a job that ended has $rc"
	forget
done

# stands HOW PATTERN...: shown while ranks wait for each other, as HOW says.
stands() {
	how=$1
	shift
	BCS_DEADLOCK=report observed 4 "$deadlock" "$how" </dev/null >"$out/said" 2>&1 &
	job=$!
	i=0
	until [ -n "$(the_rank)" ] || [ $((i += 1)) -gt 300 ]; do
		sleep 0.1
	done
	for pattern; do
		shows "$pattern" "$(the_record)"
	done
	kill "$(the_rank)"
	wait "$job" || :
	forget
}

for mode; do
	export BCS_MODE="$mode"
	stands ibarrier "ranks 1-3 are in MPI_Wait for MPI_Ibarrier begun at ibarrier deadlock.c:.* at ibarrier deadlock.c:.*; not waiting for it: rank 0"
	[ "$mode" != observe ] || continue
	stands tag "not in it: rank 1" "one from 3 with tag 8 is there"
done

export BCS_MODE=observe
observed 4 "$program" circles </dev/null >"$out/said" 2>&1 &
job=$!
shows "ranks 0,2 wait for each other" "$job"
shows "ranks 1,3 wait for each other" "$job"
kill "$(the_rank)"
wait "$job" || :
