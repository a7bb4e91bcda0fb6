#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What slices by a strobe (BCS_MODE=fixed) do and cost, beside the paper's figures.
# usage: tools/bench.sh strobe [--repetitions N] [PART]...
# PART: all of them by default, but nodes, which takes root and namespaces.
#   delay   of a blocking send to a posted receive, of a receive of what is there
#   length  from one slice to the next, beside a bare timer (see tick, too)
#   shared  the same bytes in many messages and in one
#   stream  large messages in one direction, beside demand
#   sweep   3.5 ms a step, T = 500 us; sage: 9.5 ms between blocking calls, T = 250 us
#   idle    how much longer it takes to compute, with nothing posted and with a receive
#   phases  of slices that only verify; nodes: likewise, on two nodes
#   jobs    two jobs on the same cores
#   rows    what slices on record cost
# Runs to be compared alternate; medians of N (5) runs.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=300

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/jobs.sh
. "$root/benchmarks/lib/jobs.sh"
parts="delay length shared stream sweep sage idle phases jobs rows"
case " ${*-} " in
*" nodes "*) arguments "$parts nodes" "$@" ;;
*) arguments "$parts" "$@" ;;
esac

delay() {
	repetitions=1
	printf '\n%-36s %7s %7s %7s %7s %7s\n' "slices that a call takes" mean \
		least median "90 %" most
	for us in 250 500 5000; do
		export BCS_SLICE=${us}us
		for call in send receive; do
			turns fixed 2 "$programs/slices" $call $us \
				$((us < 5000 ? 2000 : 400))
			# shellcheck disable=SC2046 # six numbers
			set -- $(cat "$tmp/fixed")
			printf '%-36s %7.2f %7.2f %7.2f %7.2f %7.2f\n' \
				"a blocking $call, T = $us us" "$1" "$3" "$4" \
				"$5" "$6"
			result "delay of $call" slice_us $us mean "$1" least "$3" \
				median "$4" p90 "$5" most "$6"
		done
	done
	printf '%-36s %7s %7s %7s %7s %7s\n' bar 1.4-1.6 1.00 "" "" 2.10
}

# spread LABEL: percentiles of the lines of $tmp/fixed.
spread() {
	sort -n "$tmp/fixed" | awk -v label="$1" '
	{ us[NR] = $1 }
	function at(p) { return us[int((NR - 1) * p / 100) + 1] }
	END { printf "%-28s %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f\n", label,
		at(1), at(25), at(50), at(75), at(99), us[NR] }'
}

length() {
	repetitions=1
	printf '\n%-28s %9s %9s %9s %9s %9s %9s\n' "us from one to the next" "1 %" \
		"25 %" "50 %" "75 %" "99 %" most
	for us in 250 500; do
		export BCS_SLICE=${us}us
		turns fixed 2 "$programs/slices" length $us 10000
		spread "slices, T = $us us"
		timeout "$limit" "$programs/tick" timer $us 10000 >"$tmp/fixed"
		spread "a bare timer"
	done
}

shared() {
	printf '\n%-28s %12s %12s %12s  %s\n' "1600 KiB, slices" "1 message" \
		"8 messages" "16 messages" bar
	for us in 500 1000; do
		export BCS_SLICE=${us}us
		for n in 1 8 16; do
			turns fixed 2 "$programs/slices" shared $us 100 $n \
				$((1600 * 1024 / n))
			median fixed >"$tmp/of.$n"
		done
		printf '%-28s %12s %12s %12s  %s\n' "T = $us us" \
			"$(cat "$tmp/of.1")" "$(cat "$tmp/of.8")" \
			"$(cat "$tmp/of.16")" "1.1 x the first"
		result shared slice_us $us one "$(cat "$tmp/of.1")" eight \
			"$(cat "$tmp/of.8")" sixteen "$(cat "$tmp/of.16")"
	done
}

# As many under way as slices take.
stream() {
	export BCS_SLICE=500us
	printf '\n%-34s %10s %10s %7s  %s\n' \
		"us a message, T = 500 us" demand fixed "times" bar
	for bytes in 262144 1048576 16777216; do
		turns "demand fixed" 2 "$programs/p2p" 0.4 stream $bytes
		paste -d ' ' "$tmp/demand" "$tmp/fixed" |
			awk '{ print $2 / $4 }' >"$tmp/times"
		printf '%-34s %10.1f %10.1f %7.2f  %s\n' \
			"stream of $bytes bytes" "$(median demand 2)" \
			"$(median fixed 2)" "$(median times)" 0.90
		result "stream of $bytes" demand_us "$(median demand 2)" \
			fixed_us "$(median fixed 2)" times "$(median times)"
	done
}

# program LABEL BASE RANKS BAR PAPER PROGRAM...: fixed beside BASE, turn by turn.
program() {
	label=$1
	base=$2
	bar=$4
	paper=$5
	ranks=$3
	shift 5
	turns "$base fixed" "$ranks" "$@"
	paste -d ' ' "$tmp/fixed" "$tmp/$base" | awk '{ print $1 / $3 }' \
		>"$tmp/times"
	printf '%-34s %10.3f %10.3f %7.3f  %-6s %s\n' "$label" \
		"$(median "$base")" "$(median fixed)" "$(median times)" "$bar" \
		"$paper"
	result "$label" base "$base" base_s "$(median "$base")" fixed_s \
		"$(median fixed)" times "$(median times)"
}

sweep() {
	export BCS_SLICE=500us
	printf '\n%-34s %10s %10s %7s  %-6s %s\n' \
		"s, sweep, T = 500 us, 2 ranks" native fixed "times" bar paper
	program blocking native 2 - 1.30 "$programs/sweep" blocking 74
	program nonblocking native 2 1.02 "< 1" "$programs/sweep" nonblocking 74
}

sage() {
	export BCS_SLICE=250us
	printf '\n%-34s %10s %10s %7s  %-6s %s\n' \
		"s, sage, T = 250 us" native fixed "times" bar paper
	program "2 ranks" native 2 1.04 "< 1" "$programs/sage" 2400 60
	printf '%-34s %10s\n' "" polite
	program "4 ranks" polite 4 1.00 "" "$programs/sage" 2400 60
	program "8 ranks" polite 8 1.00 "" "$programs/sage" 2400 60
}

# longer FILE COLUMN FILE COLUMN: by how many per cent the first is longer.
longer() {
	echo "$(median "$1" "$2") $(median "$3" "$4")" |
		awk '{ printf "%.3f", 100 * ($1 / $2 - 1) }'
}

idle() {
	printf '\n%-52s %10s  %s\n' "2 ranks compute, T = 500 us" fixed bar
	export BCS_SLICE=500us
	turns "native fixed" 2 "$programs/overlap" idle 5
	printf '%-52s %10s  %s\n' "nothing posted: longer than native by, %" \
		"$(longer fixed 1 native 1)" 0.1 \
		"a receive outstanding: longer than nothing by, %" \
		"$(longer fixed 2 fixed 1)" 0.5
	result idle nothing_percent "$(longer fixed 1 native 1)" \
		receive_percent "$(longer fixed 2 fixed 1)"
}

# verify RANKS: a record of slices of 1 ms in which nobody posts anything.
verify() {
	rm -rf "$tmp/record"
	# shellcheck disable=SC2086 # several words
	BCS_MODE=fixed BCS_SLICE=1ms BCS_EMDS=every BCS_OUT=$tmp/record \
		LD_PRELOAD=$preload timeout -k 5 "$limit" $mpiexec -n "$1" \
		"$programs/slices" nothing 1000 1000
}

# medians_of METRIC...: their medians in us.
medians_of() {
	for metric; do
		"$bcs" slices --csv --rank=0 --metric="$metric" \
			"$tmp"/record/*.bcs |
			awk -F , 'NR > 100 { print $4 / 1000 }' >"$tmp/metric"
		median metric
	done
}

# verified LABEL RANKS
verified() {
	verify "$2"
	# shellcheck disable=SC2046 # seven numbers
	set -- "$1" $(medians_of ltts ltsr ltdem ltmsm ltp2p ltbbm ltrm)
	printf '%-12s %8.1f %10.1f %8.1f %8.1f %8.1f %8.1f %8.1f\n' "$@"
	result "verification only, $1" slice_us "$2" begin_us "$3" dem_us "$4" \
		msm_us "$5" p2p_us "$6" bbm_us "$7" rm_us "$8"
}

phases_heading() {
	printf '\n%-12s %8s %10s %8s %8s %8s %8s %8s\n' "us of a slice" all \
		"begin, end" DEM MSM P2P BBM RM
}

phases() {
	phases_heading
	for n in 2 4 8 16; do
		verified "$n ranks" $n
	done
}

# Two nodes of one process each.
nodes() {
	# shellcheck source=benchmarks/lib/two_nodes.sh
	. "$root/benchmarks/lib/two_nodes.sh"
	trap two_nodes_end EXIT
	two_nodes_make "$tmp"
	mpiexec="ip netns exec $node_a mpiexec.mpich $(two_nodes_hosts 1)"
	phases_heading
	verified "two nodes" 2
}

# At most so much, beside runs without: sweep's steps, and a barrier on demand.
rows() {
	printf '\n%-44s %10s %10s %10s\n' "slices on record" without with \
		"longer, %"
	for what in "sweep nonblocking, s, fixed|fixed|rows|sweep nonblocking|1" \
		"barrier, us, demand|bare|emds|coll 0.3 barrier 0|2"; do
		echo "$what" | {
			IFS='|' read -r label without with command column
			# shellcheck disable=SC2086 # its arguments
			turns "$without $with" 2 "$programs/"$command
			printf '%-44s %10.3f %10.3f %10.3f\n' "$label" \
				"$(median "$without" "$column")" \
				"$(median "$with" "$column")" \
				"$(longer "$with" "$column" "$without" "$column")"
		}
	done
	printf '%-44s %10s %10s %10s\n' "bar" "" "" "0.2; 0"
}

about
for part in $parts; do
	case $part in
	jobs) (jobs fixed 1.10) ;;
	*) ($part) ;;
	esac
done
