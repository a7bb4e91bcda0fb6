#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the choice between ways of a broadcast or reduction costs, beside the best.
# usage: tools/bench.sh methods [--repetitions N] [COLLECTIVE]...
# COLLECTIVE: bcast, reduce; both by default.  All algorithms of libbcs with all sizes
# of pieces take turns at 2 to 8 ranks and 8 bytes to 2 MiB, and `bcs tree` makes trees
# of their times; then all take turns again, with what the trees and the built-in choice
# take.  The penalty is how much longer that takes than the best of the second time.
# Medians of N (5) runs each.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
repetitions=5
limit=300
blocks=15

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "bcast reduce" "$@"

# pass FILE COLLECTIVE [WAY=TREE_FILE]...: rows of RANKS BYTES WAY US, of all ways.
pass() {
	to=$1
	shift
	for n in 2 3 4 5 6 8; do
		collective=$1
		shift
		timeout -k 5 "$limit" mpiexec.mpich -n $n "$programs/methods" \
			$blocks "$collective" 8 2097152 "$@" |
			sed "s/^/$n /" >>"$to"
		set -- "$collective" "$@"
	done
}

# passes FILE COLLECTIVE [WAY=TREE_FILE]...: the median of each row's times.  Pieces of
# which a message has only one are left out.
passes() {
	file=$1
	shift
	for i in $(seq "$repetitions"); do
		[ ! -t 2 ] || printf '%s, %s: run %s of %s\n' "$1" "$file" \
			"$i" "$repetitions" >&2
		pass "$tmp/runs" "$@"
	done
	sort -k 1,1n -k 2,2n -k 3,3 -k 4,4n "$tmp/runs" | awk '
	function put() {
		split(key, at, " ")
		split(at[3], method, ":")
		if (n && 1024 * method[2] < at[2])
			print key, value[int((n + 1) / 2)]
		n = 0
	}
	key != $1 " " $2 " " $3 { put() }
	{ key = $1 " " $2 " " $3; value[++n] = $4 }
	END { put() }' >"$tmp/$file"
	rm "$tmp/runs"
}

# tree COLLECTIVE FILE OPTION...: the tree of medians.
tree() {
	collective=$1
	awk -v collective="$collective" '
	BEGIN { print "collective,processes,bytes,algorithm,segment,seconds" }
	split($3, method, ":") == 2 {
		printf "%s,%d,%d,%s,%d,%.9f\n", collective, $1, $2, method[1],
			1024 * method[2], $4 / 1e6
	}' "$2" >"$tmp/$collective.csv"
	shift 2
	"$bcs" tree --emit=tree "$@" "$tmp/$collective.csv"
}

# penalties FILE HOW LABEL BAR: a row.
penalties() {
	set -- "$@" "$(awk -v how="$2" '
	{
		key = $1 " " $2
		if (!(key in best) || $4 < best[key])
			best[key] = $4
		if ($3 == how)
			time[key] = $4
	}
	END {
		for (key in time)
			print 100 * (time[key] / best[key] - 1)
	}' "$1" | sort -n | awk '
	{ value[NR] = $1; sum += $1 }
	END {
		printf "%.1f %.1f %.1f\n", sum / NR, value[int((NR + 1) / 2)],
			value[NR]
	}')"
	# shellcheck disable=SC2086 # three numbers
	set -- "$2" "$3" "$4" $5
	printf '%-34s %8s %8s %8s  %s\n' "$2" "$4" "$5" "$6" "$3"
	result "$collective: $2" mean_percent "$4" median_percent "$5" \
		max_percent "$6" bar "$3"
}

about
for collective in $parts; do
	passes first "$collective"
	tree "$collective" "$tmp/first" --depth=3 >"$tmp/depth3"
	tree "$collective" "$tmp/first" >"$tmp/exact"
	passes second "$collective" "depth3=$tmp/depth3" "exact=$tmp/exact"
	printf '\n%-34s %8s %8s %8s  %s\n' \
		"$collective, penalty in %" mean median most bar
	penalties "$tmp/second" depth3 "the tree of depth 3" 5
	penalties "$tmp/second" exact "the exact tree" -
	penalties "$tmp/second" auto "the built-in choice" 20
done
