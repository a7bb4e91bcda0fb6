#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the choice between ways of a collective costs, beside the best; trees of it.
# usage: tools/bench.sh methods [OPTION]... [COLLECTIVE]...
# COLLECTIVE: bcast, reduce, allreduce, allgather, alltoall; all by default.
#   --repetitions N      runs (6), two at least
#   --ranks N,N...       numbers of processes (2,3,4,5,6,8)
#   --bytes N,N...       sizes, of a block in exchanges (8 to 2 MiB, each eight times
#                        as many)
#   --launcher COMMAND   before -n (mpiexec.mpich), such as 'mpiexec.mpich -hosts a,b'
# All algorithms of libbcs with all sizes of pieces take turns, and `bcs tree` makes
# trees of their times; then all take turns again, with what the trees and the built-in
# choice take.  Between hosts the ways in two levels are among them.  The penalty is how
# much longer that takes than the best of the second time: the least of all there, which
# is partly luck, and, "split", what one half of the runs finds best, timed by the other
# half.  Medians of the runs.  ./results (BCS_RESULTS) has the measurements of the first
# time, methods-COLLECTIVE.csv, and the exact tree, methods-COLLECTIVE.tree; Ctrl-C keeps
# what there is.  The last line gives BCS_TREE to the preload, with the trees that are
# better than its own choice.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=6
limit=300
blocks=15
ranks=2,3,4,5,6,8
bytes=8,64,512,4096,32768,262144,2097152
trees= # that are better, with commas

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/options.sh
. "$root/benchmarks/lib/options.sh"

while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) arguments "" --help ;;
	--*=*)
		value=${1#*=} option=${1%%=*}
		shift
		set -- "$option" "$value" "$@"
		;;
	--repetitions | --ranks | --bytes | --launcher)
		[ $# -ge 2 ] || wrong "$1 takes a value"
		case $1 in
		--repetitions) repetitions=$(one "$1" "$2" 2) ;;
		--ranks) ranks=$2 ;;
		--bytes) bytes=$2 ;;
		--launcher) mpiexec=$2 ;;
		esac
		shift 2
		;;
	-*) wrong "no option $1; see --help" ;;
	*) break ;;
	esac
done
parts=${*:-bcast reduce allreduce allgather alltoall}
parts_known "bcast reduce allreduce allgather alltoall"
ranks=$(numbers --ranks "$ranks" 2)
bytes=$(numbers --bytes "$bytes" 8)
[ "$(echo "$bytes" | wc -w)" -ge 2 ] || wrong "--bytes takes two sizes at least"

# pass FILE COLLECTIVE [WAY=TREE_FILE]...: rows of RANKS BYTES WAY US, of all ways.
pass() {
	to=$1
	collective=$2
	shift 2
	for n in $ranks; do
		# shellcheck disable=SC2086 # several words
		timeout -k 5 "$limit" $mpiexec -n "$n" "$programs/methods" $blocks \
			"$collective" "$(echo $bytes | tr ' ' ,)" "$@" \
			</dev/null >"$tmp/launch" 2>"$tmp/errors" || {
			sed 1q "$tmp/errors" >&2
			wrong "the launch of $n ranks failed: $mpiexec"
		}
		sed "s/^/$n /" "$tmp/launch" >>"$to"
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

# measured COLLECTIVE FILE: the medians as `bcs tree` reads them.
measured() {
	awk -v collective="$1" '
	BEGIN { print "collective,processes,bytes,algorithm,segment,seconds,library" }
	split($3, method, ":") == 2 {
		printf "%s,%d,%d,%s,%d,%.9f,bcs\n", collective, $1, $2, method[1],
			1024 * method[2], $4 / 1e6
	}' "$2"
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
	mean=$6
}

# better MEAN MEAN: whether the tree's is below that of the built-in choice.
better() {
	awk -v tree="$1" -v own="$2" 'BEGIN { exit !(tree < own) }'
}

# keep: the measurements of the first time, so far.
keep() {
	medians "$tmp/first" >"$tmp/all"
	measured "$collective" "$tmp/all" >"$kept.csv"
}

# how_to_use: the trees, so far.
how_to_use() {
	if [ -n "$trees" ]; then
		echo "export BCS_TREE=$trees"
	else
		echo "no tree is better than the built-in choice: leave BCS_TREE unset"
	fi
}

# ended STATUS: by Ctrl-C, mostly.
ended() {
	[ "$1" -ne 0 ] || return 0
	[ ! -s "$tmp/first" ] || keep
	[ ! -s "${kept-}.csv" ] ||
		echo "Ended early.  The measurements are in $results/methods-*.csv"
	[ -z "$trees" ] || how_to_use
}

about
trap 'ended $?; rm -rf "$tmp"' EXIT
for collective in $parts; do
	kept=$results/methods-$collective
	passes first "$collective"
	keep
	"$bcs" tree --emit=tree --depth=3 "$kept.csv" >"$tmp/depth3"
	"$bcs" tree --emit=tree "$kept.csv" >"$kept.tree"
	passes second "$collective" "depth3=$tmp/depth3" "exact=$kept.tree"
	medians "$tmp/second" >"$tmp/all"
	medians "$tmp/second" 0 >"$tmp/even"
	medians "$tmp/second" 1 >"$tmp/odd"
	printf '\n%-28s %7s %7s %7s %10s %7s %7s  bar\n' \
		"$collective, penalty in %" mean median most \
		'split mean' median most
	show depth3 "the tree of depth 3" 5
	show exact "the exact tree" -
	exact=$mean
	show auto "the built-in choice" 20
	! better "$exact" "$mean" || trees=${trees:+$trees,}$kept.tree
	rm "$tmp/first" "$tmp/second"
done
echo
how_to_use
