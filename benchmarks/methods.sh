#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the choice between ways of a broadcast or reduction costs, beside the best.
# usage: tools/bench.sh methods [--repetitions N] [COLLECTIVE]...
# COLLECTIVE: bcast, reduce; both by default.  All algorithms of libbcs with all sizes
# of pieces are timed at 2 to 8 ranks and 4 bytes to 2 MiB, and `bcs tree` makes trees of
# that; then all are timed again, with what the trees and the built-in choice take among
# them.  The penalty is how much longer that takes than the best of the second time.
# Medians of N (3) runs each.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
repetitions=3
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "bcast reduce" "$@"
sizes="4 64 1024 8192 65536 524288 2097152"
ranks="2 3 4 6 8"

# methods COLLECTIVE: ALGORITHM:PIECE, in KiB.
methods() {
	algorithms="linear binary binomial split-binary pipeline"
	[ "$1" = bcast ] || algorithms="$algorithms striped"
	for algorithm in $algorithms; do
		for piece in 0 1 8 16 32 64 128; do
			echo "$algorithm:$piece"
		done
	done
}

# time_of COLLECTIVE RANKS HOW [NAME=VALUE]: rows of RANKS BYTES HOW US; where ranks
# outnumber cores, of the mean.
time_of() {
	# shellcheck disable=SC2086 # several words
	env BCS_MODE=demand BCS_MMDS=off LD_PRELOAD="$preload" ${4-} \
		timeout -k 5 "$limit" mpiexec.mpich -n "$2" \
		"$programs/coll" 0.02 "$1" $sizes |
	awk -v sizes="$sizes" -v ranks="$2" -v how="$3" \
		-v column=$(($2 > $(nproc) ? 2 : 1)) '
		BEGIN { split(sizes, bytes, " ") }
		{ print ranks, bytes[NR], how, $column }'
}

# pass COLLECTIVE ["HOW:NAME=VALUE..."]: all methods, and these.
pass() {
	name=BCS_BCAST
	[ "$1" = bcast ] || name=BCS_REDUCE
	for n in $ranks; do
		for method in $(methods "$1"); do
			time_of "$1" "$n" "$method" \
				"$name=$(echo "$method" | sed 's/:0$//; s/[0-9]$/&K/')"
		done
		for how in ${2-}; do
			time_of "$1" "$n" "${how%%:*}" "${how#*:}"
		done
	done
}

# medians FILE: a row for each of RANKS BYTES HOW; pieces that are none are left out.
medians() {
	sort -k 1,1n -k 2,2n -k 3,3 -k 4,4n "$1" | awk '
	function put() {
		split(key, at, " ")
		split(at[3], method, ":")
		if (n && 1024 * method[2] < at[2])
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
	BEGIN { print "collective,processes,bytes,algorithm,segment,seconds" }
	{
		split($3, method, ":")
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
	for i in $(seq "$repetitions"); do
		echo "$collective, $i of $((2 * repetitions))" >&2
		pass "$collective"
	done >"$tmp/first"
	medians "$tmp/first" >"$tmp/measured"
	tree "$collective" "$tmp/measured" --depth=3 >"$tmp/depth3"
	tree "$collective" "$tmp/measured" >"$tmp/exact"
	for i in $(seq "$repetitions"); do
		echo "$collective, $((repetitions + i)) of" \
			$((2 * repetitions)) >&2
		pass "$collective" "auto:A=1 depth3:BCS_TREE=$tmp/depth3
			exact:BCS_TREE=$tmp/exact"
	done >"$tmp/second"
	medians "$tmp/second" >"$tmp/again"
	printf '\n%-34s %8s %8s %8s  %s\n' \
		"$collective, penalty in %" mean median most bar
	penalties "$tmp/again" depth3 "the tree of depth 3" 5
	penalties "$tmp/again" exact "the exact tree" -
	penalties "$tmp/again" auto "the built-in choice" 20
done
