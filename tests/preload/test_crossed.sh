#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_crossed.sh PROGRAM MODE
# Collectives of overlapping communicators (programs/crossed.c) between nodes, which
# are groups of processes of this machine.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
export BCS_MODE="$2" BCS_SLICE=250us

# crossed NODE_SIZE RANKS WIDTH ROUNDS BYTES
crossed() {
	forget
	BCS_NODE_SIZE=$1 observed "$2" "$program" "$4" "$3" "$5" >"$out/stdout"
	grep -q '^0 errors' "$out/stdout" ||
		fail "$2 ranks, $1 a node, $5 bytes: $(cat "$out/stdout")"
}

for size in 1 2; do
	crossed $size 4 2 20 8
	crossed $size 6 3 10 20000
	crossed $size 4 2 3 1000000
done
crossed 1 8 4 5 8
crossed 2 8 4 5 8

[ "$BCS_MODE" = fixed ] || exit 0

# of COLUMN RANK: its sum over all rows of that node.
of() {
	"$BCS_BUILD/analyzer/bcs" slices --csv --rank="$2" "$(the_record)" |
		awk -F , -v name="\"$1\"" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ sum += $at }
		END { print at ? sum + 0 : "no such column" }'
}

# Two nodes of two: rows are on one node each, two columns on both.  A node counts
# each collective of its processes once.
export BCS_EMDS=on
crossed 2 4 2 1 8
for rank in 0 2; do
	once=$(of ncolldem $rank)
	[ "$once" = "$(of ncollmsm $rank)" ] ||
		fail "node of $rank: $once taken in, $(of ncollmsm $rank) scheduled"
	crossed 2 4 2 11 8
	many=$(of ncolldem $rank)
	[ "$many" = "$(of ncollmsm $rank)" ] ||
		fail "node of $rank: $many taken in, $(of ncollmsm $rank) scheduled"
	# A row, two columns, all, and reverse; three collectives of each.
	[ $((many - once)) -eq 150 ] ||
		fail "node of $rank: $((many - once)) collectives in ten rounds"
	crossed 2 4 2 1 8
done
