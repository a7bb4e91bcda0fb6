#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What MPI's own communication costs, after MPIBlib: timing methods, clocks, trees.
# usage: tools/bench.sh mpi [--repetitions N] [PART]...
#        tools/bench.sh mpi run [OPTION]... WHAT [OPTION OF mpib_run]...
# PART: clock, methods, pipeline, pairs, trees, netpipe; all of them by default.
# clock: how well clocks are compared by messages, and how far apart starts are.
# methods: the paper's Table 1 and figure 2: scatter and gather of 0 to 100 KB, what
# each way of timing costs and finds.  pipeline: figure 1, a scatter repeated without
# isolation.  pairs: round trips of all pairs of 4 ranks, in turn and in parallel.
# trees: the fastest of each collective's implementations.  netpipe: one-way times
# beside those of NetPIPE.  N (100) repetitions of a figure of pipeline and trees, whose
# others have numbers of their own; medians.
# run: measures WHAT, such as allreduce, bandwidth, iallgather or put, as mpib_run does:
# `bcs bench mpi run --help` has all of it.  Options before WHAT:
#   --ranks N            (2)
#   --launches N         launches of N (1); a figure is a median over these, with their
#                        spread, and `bcs diff A.csv B.csv` tests two files of them
#   --output FILE        of launches (mpi-run.csv in ./results); Ctrl-C keeps it
#   --launcher COMMAND   before -n, such as 'mpiexec -hosts a,b'
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=100
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/plot.sh
. "$root/benchmarks/lib/plot.sh"
# shellcheck source=benchmarks/mpi/mpi_launches.sh
. "$root/benchmarks/mpi/mpi_launches.sh"
case ${1-} in
run)
	shift
	launches "$@"
	exit
	;;
esac
arguments "clock methods pipeline pairs trees netpipe" "$@"
case "${1-} $parts " in
--repetitions*" pipeline "* | --repetitions*" trees "*) ;;
--repetitions*)
	echo "--repetitions has no effect on $parts" >&2
	exit 2
	;;
esac

# mpib RANKS ARGUMENT...
mpib() {
	ranks=$1
	shift
	# shellcheck disable=SC2086 # several words
	timeout -k 5 "$limit" $mpiexec -n "$ranks" "$programs/mpib_run" "$@"
}

# line LABEL VALUE UNIT BAR
line() {
	printf '%-52s %12s %-3s %s\n' "$1" "$2" "$3" "${4:-}"
	result "$1" value "$2" unit "$3" bar "${4:-}"
}

# rows: of a table, without its head.
rows() {
	sed 1d
}

clock() {
	printf '\n%-52s %12s %-3s %s\n' "2 ranks of a host" median "" bar
	mpib 2 clock --repetitions=500:500 >"$tmp/clock"
	line "clocks by messages: error" "$(sed -n 's/^error //p' "$tmp/clock" |
		cut -d ' ' -f 1)" ns 50
	line "clocks by messages: the most" "$(sed -n 's/^error //p' "$tmp/clock" |
		cut -d ' ' -f 3)" ns
	line "clocks by messages: bound" "$(sed -n 's/^bound //p' "$tmp/clock" |
		cut -d ' ' -f 1)" ns
	line "clocks by messages: error beyond the bound" \
		"$(sed -n 's/^beyond //p' "$tmp/clock")" of 0
	for start in barrier deadline; do
		mpib 2 skew --start=$start --error=0 --repetitions=2000:2000 |
			rows >"$tmp/skew"
		bar=
		[ $start = barrier ] || bar=50
		line "start by $start: skew" "$(awk '{ printf "%.0f", 1000 * $4 }' \
			"$tmp/skew")" ns $bar
		line "start by $start: missed, of 2000" \
			"$(awk '{ print $10 }' "$tmp/skew")" ""
	done
}

# What is measured, and what measuring took.
methods() {
	printf '\n%-24s %10s %10s %10s\n' "0 to 100 KB, 1 KB stride" \
		maximum root global
	for coll in scatter gather; do
		for timing in maximum root global; do
			mpib 2 $coll --algorithm=linear --sizes=0:102400:1024 \
				--timing=$timing --json --error=0 \
				--repetitions=20:20 >"$tmp/$timing"
			sed -n 's/.*"bytes": \([0-9]*\),.*"median": \([0-9.]*\),.*/\1 \2/p' \
				"$tmp/$timing" >"$tmp/$timing.medians"
			sed -n 's/.*"cost": \([0-9.]*\).*/\1/p' "$tmp/$timing" |
				awk '{ s += $1 } END { printf "%.3f\n", s }' \
				>"$tmp/$timing.cost"
		done
		methods_show
	done
}

methods_show() {
	printf '%-24s %10s %10s %10s\n' "$coll, 20 repetitions: s" \
		"$(cat "$tmp/maximum.cost")" "$(cat "$tmp/root.cost")" \
		"$(cat "$tmp/global.cost")"
	result "cost of $coll" maximum "$(cat "$tmp/maximum.cost")" \
		root "$(cat "$tmp/root.cost")" global "$(cat "$tmp/global.cost")"
	paste -d ' ' "$tmp/maximum.medians" "$tmp/root.medians" \
		"$tmp/global.medians" |
		awk '{ print $1, $2 * 1e6, $4 * 1e6, $6 * 1e6 }' >"$tmp/all"
	for how in 2:maximum 3:root; do
		line "$coll: ${how#*:} / global, median over sizes" \
			"$(awk -v at="${how%:*}" '{ print $at / $4 }' "$tmp/all" |
				sort -n | awk '{ v[NR] = $1 }
				END { printf "%.3f", v[int((NR + 1) / 2)] }')" ""
	done
	{
		echo bytes maximum root global
		sed 1d "$tmp/all"
	} | plot "$coll by timing method" bytes us >"$results/mpi-$coll.svg"
}

# Without isolation the maximum of a repetition is not that of one alone.
pipeline() {
	printf '\n%-24s %12s %12s %8s\n' "us, linear, 2 ranks" isolated \
		unisolated ratio
	for coll in scatter gather; do
		for bytes in 8 1024 16384 102400; do
			for start in barrier once; do
				mpib 2 $coll --algorithm=linear --error=0 \
					--sizes=$bytes:$bytes:1 --start=$start \
					--repetitions="$repetitions:$repetitions" |
					rows | awk '{ print $4 }' >"$tmp/$start"
			done
			set -- "$(cat "$tmp/barrier")" "$(cat "$tmp/once")"
			echo "$1 $2" | awk -v of="$coll, $bytes bytes" '{
				printf "%-24s %12.3f %12.3f %8.3f\n", of, $1, $2,
					$2 / $1 }'
			result "$coll, $bytes bytes" isolated "$1" unisolated "$2"
		done
	done
}

# In turn the others wait.
pairs() {
	printf '\n%-52s %12s\n' "all pairs of 4 ranks, 4 KB, 20 round trips" s
	for how in "" --parallel; do
		begin=$(date +%s.%N)
		# shellcheck disable=SC2086 # none, or one
		mpib 4 pairs $how --sizes=4096:4096:1 --error=0 \
			--repetitions=20:20 >"$tmp/pairs" 2>/dev/null
		line "round trips ${how:-in turn}" "$(echo "$(date +%s.%N) $begin" |
			awk '{ printf "%.3f", $1 - $2 }')" s
	done
}

trees() {
	printf '\n%-24s %12s %12s\n' "us, 2 ranks: the fastest" bytes median
	for coll in bcast scatter gather reduce allgather alltoall; do
		mpib 2 $coll --sizes=1024:65537:64512 --budget=1 \
			--repetitions="$repetitions:$repetitions" | rows |
			sort -k 3,3n -k 4,4n | awk '!($3 in seen) {
				seen[$3] = 1
				print $1 ", " $2 "|" $3 "|" $4 }' >"$tmp/trees"
		while IFS='|' read -r name bytes median; do
			printf '%-24s %12s %12s\n' "$name" "$bytes" "$median"
			result "fastest $name" bytes "$bytes" us "$median"
		done <"$tmp/trees"
	done
}

# np: of NetPIPE, bytes and us one way.  It rounds seconds to 10 ns, not its Mbit/s.
np() {
	timeout -k 5 "$limit" mpiexec.mpich -bind-to core -n 2 NPmpich2 -n 200 \
		-p 0 -l 8 -u 131072 -o "$tmp/np" </dev/null >/dev/null 2>&1
	awk '$2 > 0 { print $1, $1 * 8 / ($2 * 1.048576) }' "$tmp/np" \
		>>"$tmp/times.np"
}

# ours: medians of half a round trip.
ours() {
	timeout -k 5 "$limit" mpiexec.mpich -bind-to core -n 2 \
		"$programs/mpib_run" pairs --sizes=8-131072 --error=0 \
		--repetitions=200:200 </dev/null | rows |
		awk '{ print $3, $4 / 2 }' >>"$tmp/times.ours"
}

# middle_and_least FILE BYTES
middle_and_least() {
	awk -v bytes="$2" '$1 == bytes { print $2 }' "$tmp/times.$1" | sort -g |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)], v[1] }'
}

# Small messages have another speed in each run, by where its memory lies: of thirty two
# take four times as long, and one is faster by a quarter.  So each has a core for each
# rank, few round trips at a time, and the median of many runs, which alternate; the
# ratio of the least stands beside it.
netpipe() {
	if [ "$mpi" != mpich ]; then
		echo "skipped: NetPIPE is compared with MPICH only"
		return
	fi
	if ! command -v NPmpich2 >/dev/null; then
		echo "skipped: NetPIPE (package netpipe-mpich2)"
		return
	fi
	printf '\n%-24s %12s %12s %8s  %-10s %8s\n' "us one way, 2 ranks" NetPIPE \
		mpib ratio bar "of least"
	sizes="8 64 512 4096 16384 65536 131072"
	for _ in $(seq 30); do
		np
		ours
	done
	for bytes in $sizes; do
		# shellcheck disable=SC2046 # two numbers each
		set -- $(middle_and_least np "$bytes") \
			$(middle_and_least ours "$bytes")
		echo "$@" | awk -v of="$bytes bytes" '{
			printf "%-24s %12.3f %12.3f %8.3f  %-10s %8.3f\n", of, $1,
				$3, $3 / $1, "0.9 to 1.1", $4 / $2 }'
		result "one way, $bytes bytes" netpipe "$1" mpib "$3" \
			least_netpipe "$2" least_mpib "$4"
	done
}

# can_launch: else what the launcher says of it, such as that root may not.
can_launch() {
	mpib 2 barrier --repetitions=1:1 >"$tmp/launch" 2>&1 && return
	cat "$tmp/launch" >&2
	echo "mpi: $mpiexec does not launch two ranks" >&2
	exit 2
}

about
can_launch
for part in $parts; do
	($part)
done
