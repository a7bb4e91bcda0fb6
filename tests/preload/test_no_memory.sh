#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_no_memory.sh PROGRAM STEP
# Whatever memory one process cannot get while MPI begins, all go on, and the job says
# so once if messages are MPI's then (programs/no_memory.c).  Between nodes two ranks share
# the allocations with STEP 2, and have all with 1.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
step=$2
native=0

[ -z "${BCS_PRELOAD_FIRST-}" ] || skip "the sanitizer has the functions that fail"

# fails RANKS NODE_SIZE RANK FIRST STEP: each allocation of it in turn, or those.
fails() {
	export BCS_NODE_SIZE="$2"
	observed "$1" "$program" "$3" 0 >"$out/0" 2>&1
	n=$(cat "$out/0")
	[ "$n" -ge 10 ] || fail "nodes of $2, rank $3: $n allocations"
	for k in $(seq "$4" "$5" "$n"); do
		rc=0
		observed "$1" "$program" "$3" "$k" >"$out/log" 2>&1 || rc=$?
		[ "$rc" -eq 0 ] ||
			fail "nodes of $2, rank $3, $k: $rc: $(cat "$out/log")"
		said=$(grep -c "leaving them to MPI" "$out/log") || true
		[ "$said" -le 1 ] || fail "said $said times: $(cat "$out/log")"
		native=$((native + said))
	done
}

fails 2 0 1 1 1
fails 4 2 1 1 "$step"
fails 4 2 2 "$step" "$step"
[ "$native" -gt 10 ] || fail "messages were MPI's in $native runs only"
