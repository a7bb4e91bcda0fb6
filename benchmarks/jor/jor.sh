#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What two coupled sites bring an application that adapts to them, after JOR.
# usage: tools/bench.sh jor [--repetitions N] [PART]... | jor run RANKS [OPTION]...
# PART: periods, processes, asymmetric, duty, blocks, nodes; all of them by default.
# periods: figure 5, run time by period, with no slower link and with two slower ones.
# processes: figures 6 to 8, speed-ups and shares of power by processes of each site.
# asymmetric: figure 9, twice as many in the first site.  duty: a site that computes a
# part of the time.  blocks: strips, blocks and overlapped messages.  nodes: two nodes
# made of this machine (root, namespaces), with a link between them that is slow itself.
# Sites are halves of the processes and of the processors; the fastest of N (3)
# repetitions each.  Where ranks outnumber cores MPICH is polite (BCS_POLITE=on).
# run: once, with what `jor --help` has (OPTION), as a table.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=3
limit=600

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/plot.sh
. "$root/benchmarks/lib/plot.sh"
# shellcheck source=benchmarks/lib/two_nodes.sh
. "$root/benchmarks/lib/two_nodes.sh"
cores=$(nproc)
trap 'two_nodes_end; rm -rf "$tmp"' EXIT

# jor RANKS OPTION...
jor() {
	ranks=$1
	shift
	# shellcheck disable=SC2086 # several words
	set -- timeout -k 5 "$limit" $mpiexec -n "$ranks" "$programs/jor" "$@"
	if [ "$ranks" -gt "$cores" ] || [ "$mpiexec" != mpiexec.mpich ]; then
		set -- env BCS_MODE=observe BCS_POLITE=on BCS_MMDS=off \
			BCS_OUT="$tmp/record" LD_PRELOAD="$preload" "$@"
	fi
	"$@"
}

# kept RANKS OPTION...: its figures are added to the results, or to what OPTION says.
kept() {
	ranks=$1
	shift
	[ ! -t 2 ] || set -- "$@" --progress
	jor "$ranks" --results="$results/jor.jsonl" "$@"
}

# sites FIRST SECOND OPTION...: its table is $tmp/table.
sites() {
	first=$1
	second=$2
	shift 2
	kept $((first + second)) --sites="$first+$second" --pin \
		--repetitions="$repetitions" "$@" >"$tmp/table"
}

# said PATTERN: what stands there in the table.
said() {
	sed -n "s/.*$1.*/\1/p" "$tmp/table"
}

artless() {
	said 'artless \([0-9.]*\)'
}

artful() {
	said 'artful \([0-9.]*\)'
}

period() {
	said 'at period \([0-9]*\)'
}

power() {
	said 'power \([0-9.]*\) :'
}

apart() {
	said 'within \([0-9.]*\) %'
}

head_of() {
	printf '\n%-30s %8s %8s %7s %8s %8s  %s\n' "$1" artless artful period \
		"power, %" "apart, %" bar
}

# line LABEL BAR: of the table.
line() {
	printf '%-30s %8s %8s %7s %8s %8s  %s\n' "$1" "$(artless)" \
		"$(artful)" "$(period)" "$(power)" "$(apart)" "$2"
	result "$part: $1" artless "$(artless)" artful "$(artful)" period \
		"$(period)" power "$(power)" apart "$(apart)" bar "$2"
}

# Times of the balanced series, one column a delay.
# Without a slower link every iteration exchanges, where it costs more than that.
periods() {
	head_of "1 + 1 processes"
	sites 1 1 --class=A --periods=1,2,5,10
	line "N = 256, link + 0 us" "period 1"
	rm -f "$tmp"/series.*
	for delay in 0 20 100; do
		sites 1 1 --class=W --delay=$delay
		bar="artful > artless, period > 1"
		[ $delay -gt 0 ] || bar="period 1"
		line "N = 128, link + $delay us" "$bar"
		awk '$1 == "balanced" { print $5, $7 }' "$tmp/table" \
			>"$tmp/series.$delay"
	done
	printf '\n%-10s %12s %12s %12s\n' "s, period" "+ 0 us" "+ 20 us" \
		"+ 100 us"
	paste -d ' ' "$tmp/series.0" "$tmp/series.20" "$tmp/series.100" |
		awk '{ print $1, $2, $4, $6 }' >"$tmp/series"
	awk '{ printf "%-10s %12s %12s %12s\n", $1, $2, $3, $4 }' "$tmp/series"
	{
		echo period +0us +20us +100us
		cat "$tmp/series"
	} | plot "run time by updating period, N = 128" period s \
		>"$results/jor-periods.svg"
}

# speedups LABEL SIZE...: "FIRST SECOND" on stdin, a row each; plots of all three.
speedups() {
	label=$1
	shift
	for what in artless artful power; do
		echo processes "$@" | sed 's/ \([0-9]\)/ N=\1/g' \
			>"$tmp/plot.$what"
	done
	while read -r first second; do
		for what in artless artful power; do
			printf '%s' "$second" >>"$tmp/plot.$what"
		done
		for size; do
			sites "$first" "$second" --size="$size" --delay=20 \
				--periods=1,5,20 </dev/null
			line "$first + $second processes, N = $size" ""
			for what in artless artful power; do
				printf ' %s' "$($what)" >>"$tmp/plot.$what"
			done
		done
		for what in artless artful power; do
			echo >>"$tmp/plot.$what"
		done
	done
	for what in artless artful power; do
		plot "$what, $label" "processes of the second site" "" \
			<"$tmp/plot.$what" >"$results/jor-$part-$what.svg"
	done
}

processes() {
	head_of "link + 20 us"
	printf '1 1\n2 2\n4 4\n' | speedups "as many processes" 64 128
}

asymmetric() {
	head_of "link + 20 us, twice as many"
	printf '2 1\n4 2\n' | speedups "twice as many in the first" 64 128
}

duty() {
	head_of "N = 128, 1 + 1 processes"
	for percent in 100 75 50 25; do
		sites 1 1 --class=W --duty=100,$percent --periods=1,5,20
		line "second site $percent % of the time" "apart 10"
	done
}

blocks() {
	head_of "N = 128, 4 + 4, link + 20 us"
	for how in "" --overlap --blocks "--blocks --overlap"; do
		# shellcheck disable=SC2086 # none, or some
		sites 4 4 --class=W --delay=20 --periods=1,5,20 $how
		line "${how:-strips}" ""
	done
}

# between HOW PROCESSES DELAY: sites by HOW, so many of each node.
between() {
	mpiexec="ip netns exec $node_a mpiexec.mpich $(two_nodes_hosts "$2")"
	kept $((2 * $2)) --class=W --sites="$1" --repetitions="$repetitions" \
		</dev/null >"$tmp/table"
	bar="artful > artless, period > 1"
	line "$2 + $2 by ${1%%:*}, link + $3 us" "$bar"
	mpiexec=mpiexec.mpich
}

nodes() {
	two_nodes_make "$tmp" 2>"$tmp/why" || {
		echo "skipped: $(cat "$tmp/why")"
		return
	}
	head_of "N = 128, two nodes"
	between times 1 0
	two_nodes_slow "$programs/slow_link" 100 || {
		echo "skipped: no slow link"
		return
	}
	for how in times mask:"$node_a"; do
		between "$how" 1 100
	done
	for how in times hosts; do
		between "$how" 2 100
	done
}

if [ "${1-}" = run ]; then
	case ${2-} in
	'' | *[!0-9]*) usage ;;
	esac
	shift
	results_begin
	case " $* " in
	*" --count "* | *" --solve "*) jor "$@" ;;
	*) kept "$@" ;;
	esac
	exit
fi
arguments "periods processes asymmetric duty blocks nodes" "$@"
about | sed 's/medians of/fastest of/'
for part in $parts; do
	$part
done
