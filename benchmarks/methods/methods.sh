#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the choice between ways of a broadcast or reduction costs, beside the best.
# usage: tools/bench.sh methods [--repetitions N] [COLLECTIVE]...
# COLLECTIVE: bcast, reduce; both by default.  All algorithms of libbcs with all sizes
# of pieces take turns at 2 to 8 ranks and 8 bytes to 2 MiB, and `bcs tree` makes trees
# of their times; then all take turns again, with what the trees and the built-in choice
# take.  The penalty is how much longer that takes than the best of the second time:
# the least of all there, which is partly luck, and, "split", what one half of the runs
# finds best, timed by the other half.  Medians of N (6) runs each, two at least.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=6
limit=300
blocks=15

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "bcast reduce" "$@"
[ "$repetitions" -ge 2 ] || usage

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

# passes FILE COLLECTIVE [WAY=TREE_FILE]...: rows of RANKS BYTES WAY US RUN.  Pieces of
# which a message has only one are left out.
passes() {
	file=$1
	shift
	for i in $(seq "$repetitions"); do
		[ ! -t 2 ] || printf '%s, %s: run %s of %s\n' "$1" "$file" \
			"$i" "$repetitions" >&2
		pass "$tmp/run" "$@"
		awk -v run="$i" '
		split($3, method, ":") && 1024 * method[2] < $2 {
			print $1, $2, $3, $4, run
		}' "$tmp/run" >>"$tmp/$file"
		rm "$tmp/run"
	done
}

# medians FILE [REST]: RANKS BYTES WAY US, of all runs or of those whose number has this
# rest by 2.
medians() {
	awk -v rest="${2-}" 'rest == "" || $5 % 2 == rest' "$1" |
		sort -k 1,1n -k 2,2n -k 3,3 -k 4,4n | awk '
	function put() {
		if (n)
			print key, value[int((n + 1) / 2)]
		n = 0
	}
	key != $1 " " $2 " " $3 { put() }
	{ key = $1 " " $2 " " $3; value[++n] = $4 }
	END { put() }'
}

# tree COLLECTIVE FILE OPTION...: the tree of medians.
tree() {
	collective=$1
	awk -v collective="$collective" '
	BEGIN { print "collective,processes,bytes,algorithm,segment,seconds,library" }
	split($3, method, ":") == 2 {
		printf "%s,%d,%d,%s,%d,%.9f,bcs\n", collective, $1, $2, method[1],
			1024 * method[2], $4 / 1e6
	}' "$2" >"$tmp/$collective.csv"
	shift 2
	"$bcs" tree --emit=tree "$@" "$tmp/$collective.csv"
}

# penalties HOW BEST TIMED: by cell, where BEST says what is best, and TIMED how long.
penalties() {
	awk -v how="$1" '
	{ key = $1 " " $2 }
	FNR == NR && (!(key in best) || $4 < best[key]) {
		best[key] = $4
		way[key] = $3
	}
	FNR < NR { time[key, $3] = $4; keys[key] }
	END {
		for (key in keys)
			print 100 * (time[key, how] / time[key, way[key]] - 1)
	}' "$2" "$3"
}

# three: the mean, the median and the most of lines of numbers.
three() {
	sort -n | awk '
	{ value[NR] = $1; sum += $1 }
	END {
		printf "%.1f %.1f %.1f\n", sum / NR, value[int((NR + 1) / 2)],
			value[NR]
	}'
}

# show HOW LABEL BAR: a row.
show() {
	least=$(penalties "$1" "$tmp/all" "$tmp/all" | three)
	split=$({
		penalties "$1" "$tmp/even" "$tmp/odd"
		penalties "$1" "$tmp/odd" "$tmp/even"
	} | three)
	# shellcheck disable=SC2086 # three numbers each
	set -- "$2" "$3" $least $split
	printf '%-28s %7s %7s %7s %10s %7s %7s  %s\n' \
		"$1" "$3" "$4" "$5" "$6" "$7" "$8" "$2"
	result "$collective: $1" mean_percent "$3" median_percent "$4" \
		max_percent "$5" split_mean_percent "$6" \
		split_median_percent "$7" split_max_percent "$8" bar "$2"
}

about
for collective in $parts; do
	passes first "$collective"
	medians "$tmp/first" >"$tmp/all"
	tree "$collective" "$tmp/all" --depth=3 >"$tmp/depth3"
	tree "$collective" "$tmp/all" >"$tmp/exact"
	passes second "$collective" "depth3=$tmp/depth3" "exact=$tmp/exact"
	medians "$tmp/second" >"$tmp/all"
	medians "$tmp/second" 0 >"$tmp/even"
	medians "$tmp/second" 1 >"$tmp/odd"
	printf '\n%-28s %7s %7s %7s %10s %7s %7s  bar\n' \
		"$collective, penalty in %" mean median most \
		'split mean' median most
	show depth3 "the tree of depth 3" 5
	show exact "the exact tree" -
	show auto "the built-in choice" 20
	rm "$tmp/first" "$tmp/second"
done
