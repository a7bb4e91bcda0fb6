#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_same_bits.sh SAME_BITS MODE CASES
# Reductions have MPICH's own bits: PMPI's, in the same process.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

same_bits=$1
export BCS_MODE="$2"
cases=$3

# same RANKS ARGUMENTS...
same() {
	status observed "$@" >"$out/stdout" 2>&1
	[ "$rc" -eq 0 ] || fail "$BCS_MODE, $*: $rc: $(tail -n 5 "$out/stdout")"
	forget
}

for ranks in 2 3 8; do
	same "$ranks" "$same_bits" rows "$ranks" "$cases"
done
for ranks in 4 7 12; do
	same "$ranks" "$same_bits" "$ranks" "$cases"
done

# MPI sees one node.
for size in 1 2; do
	export BCS_NODE_SIZE=$size
	same 3 "$same_bits" rows
	same 5 "$same_bits" "$size" "$cases"
done
unset BCS_NODE_SIZE

# It is said once that MPICH was told to fold otherwise, in the record too.
told="is set, which the preload does not follow"

# tells NAME=VALUE COUNT
tells() {
	status observed 2 env "$1" "$same_bits" 1 0 >"$out/stdout" 2>&1
	n=$(grep -c "^bcs: ${1%%=*} $told" "$out/stdout" || :)
	[ "$n" -eq "$2" ] || fail "$1: told $n times: $(cat "$out/stdout")"
	n=$(table "$(the_record)/rank-000000.gz" notes text |
		sed 's/%20/ /g' | grep -c "^${1%%=*} $told" || :)
	[ "$n" -eq "$2" ] || fail "$1: $n times in the record's notes"
	forget
}

tells MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling 1
tells MPICH_REDUCE_SHORT_MSG_SIZE=64 1
tells MPIR_PARAM_ISCAN_INTRA_ALGORITHM=sched_smp 1
tells MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=auto 0
tells MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial 0
(
	BCS_MODE=observe
	tells MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling 0
)

# The test can fail: an order of another kind has other bits.
export BCS_REDUCE=linear
status observed 4 "$same_bits" rows >"$out/stdout" 2>&1
[ "$rc" -eq 1 ] || fail "BCS_REDUCE=linear has MPICH's bits"
