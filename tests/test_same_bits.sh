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

for ranks in 2 3 5 8; do
	same "$ranks" "$same_bits" rows
done
for ranks in 2 3 4 6 7 12; do
	same "$ranks" "$same_bits" "$ranks" "$cases"
done

# MPI sees one node.
for size in 1 2; do
	export BCS_NODE_SIZE=$size
	same 3 "$same_bits" rows
	same 5 "$same_bits" "$size" "$cases"
done
unset BCS_NODE_SIZE

# The test can fail: an order of another kind has other bits.
export BCS_REDUCE=linear
status observed 4 "$same_bits" rows >"$out/stdout" 2>&1
[ "$rc" -eq 1 ] || fail "BCS_REDUCE=linear has MPICH's bits"
