#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_unlike.sh TRAFFIC
# Ranks whose environments differ: what decides how messages go is rank 0's, and
# whoever has it otherwise says so; what is recorded is each one's own.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# unlike FIRST OTHERS: a setting of rank 0, and of the others.
unlike() {
	forget
	first="env BCS_OUT=$records LD_PRELOAD=$preload $1"
	others="env BCS_OUT=$records LD_PRELOAD=$preload $2"
	# shellcheck disable=SC2086 # several words
	timeout -k 5 "$limit" mpiexec.mpich -n 1 $first "$traffic" 3 1 : \
		-n 2 $others "$traffic" 3 1 >"$out/said" 2>&1 ||
		fail "$1 and $2: $(cat "$out/said")"
	grep -q " 0 errors" "$out/said" || fail "$(cat "$out/said")"
}

# named NAME: that somebody has it otherwise is said, once.
named() {
	[ "$(grep "^bcs: rank" "$out/said")" = \
		"bcs: rank 1 has another $1 than rank 0, whose counts for all" ] ||
		fail "not said of $1, or more: $(cat "$out/said")"
}

# recorded RANK...: who did.
recorded() {
	found=$(for file in "$(the_record)"/*.gz; do
		value "$file" rank
	done | xargs)
	[ "$found" = "$*" ] || fail "recorded $found instead of $*"
}

traffic=$1

unlike BCS_MMDS=on BCS_MMDS=off
recorded 0
unlike BCS_MMDS=off BCS_MMDS=on
recorded 1 2
! grep -q '^bcs:' "$out/said" || fail "$(cat "$out/said")"

unlike BCS_MODE=observe BCS_MODE=demand
named BCS_MODE
[ "$(value "$(the_record)/rank-000002.gz" mode)" = observe ] ||
	fail "rank 2 is not in rank 0's mode"
unlike BCS_MODE=fixed BCS_MODE=observe
named BCS_MODE
for setting in BCS_NODE_SIZE=2 BCS_BCAST=binary BCS_BCAST=pipeline:8K \
	BCS_REDUCE=linear BCS_TREE="$out/none" BCS_DEADLOCK=off; do
	unlike "$setting" BCS_MODE=demand
	named "${setting%%=*}"
	unlike BCS_MODE=demand "$setting"
	named "${setting%%=*}"
done
unlike "BCS_MODE=fixed BCS_SLICE=1ms" BCS_MODE=fixed
named BCS_SLICE
unlike "BCS_MODE=fixed BCS_BUDGET=1M" BCS_MODE=fixed
named BCS_BUDGET
# With it, ranks wait for each other in some calls (route_meet.h).
unlike BCS_MODE=demand "BCS_MODE=demand BCS_STRICT=buffers"
named BCS_STRICT

# A value that is not taken is told of once, also where rank 0 has a good one.
unlike BCS_MODE=demand BCS_MODE=nonsense
grep "^bcs:.*BCS_MODE=nonsense is not taken" "$out/said" >"$out/refused" ||
	fail "not said of BCS_MODE=nonsense: $(cat "$out/said")"
[ "$(cut -c1-12 "$out/refused")" = "bcs: rank 1:" ] ||
	fail "not once, or not of rank 1: $(cat "$out/said")"
unlike BCS_MODE=nonsense "BCS_MODE=nonsense BCS_CALLSITE_DEPTH=none"
[ "$(grep -c "BCS_MODE=nonsense is not taken" "$out/said")" -eq 1 ] ||
	fail "not once: $(cat "$out/said")"
[ "$(grep -c "^bcs: rank 1: BCS_CALLSITE_DEPTH=none is not" "$out/said")" -eq 1 ] ||
	fail "not said of BCS_CALLSITE_DEPTH, or not once: $(cat "$out/said")"

# So is a variable that is nearly a setting, and a call that MPI does not have.
unlike "BCS_MOED=fixed BCS_CALLS=MPI_Send,MPI_Bcst" BCS_MODE=demand
for line in "BCS_MOED is no setting: did you mean BCS_MODE?" \
	"BCS_CALLS: no call of MPI is MPI_Bcst: did you mean MPI_Bcast?"; do
	[ "$(grep -cxF "bcs: $line" "$out/said")" -eq 1 ] ||
		fail "not said, or not once: $line: $(cat "$out/said")"
done
