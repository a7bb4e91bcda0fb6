#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Section 5.3 of the BCS-MPI paper: how regular slices are, with a barrier in a few.
# usage: tools/bench.sh tick [--repetitions N]
# A barrier every 1.9 ms, 10 000 times, slices of 250 us, all of them on record from
# 7500 to 12500.  In the paper all took 250 to 270 us, and each eighth or ninth had a
# barrier.  Beside it a bare timer that fires as often; medians of N (3) runs.  A plot
# of the last run is left in build/results/tick.svg.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=3
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "all" "$@"

# shares FILE: of lines of us, per cent from 245 to 255, to 270, and percentiles.
shares() {
	sort -n "$1" | awk '
	{ us[NR] = $1; near += $1 >= 245 && $1 <= 255
	  paper += $1 >= 249.5 && $1 <= 270 }
	function at(p) { return us[int((NR - 1) * p / 100) + 1] }
	END { printf "%.1f %.1f %.1f %.1f %.1f %.1f %.1f\n", 100 * paper / NR,
		100 * near / NR, at(1), at(25), at(50), at(75), at(99) }'
}

# spaces FILE: from slices with a barrier to the next: per cent of 7, 8, 9, other.
spaces() {
	awk -F , 'NR > 1 && $4 > 0 {
		if (last) { n++; by[$1 - last]++ }
		last = $1
	}
	END { printf "%.1f %.1f %.1f %.1f\n", 100 * by[7] / n, 100 * by[8] / n,
		100 * by[9] / n, 100 * (n - by[7] - by[8] - by[9]) / n }' "$1"
}

tick() {
	rm -rf "$tmp/record"
	BCS_MODE=fixed BCS_SLICE=250us BCS_EMDS=every \
		BCS_EMDS_SLICES=7500-12500 BCS_OUT=$tmp/record \
		LD_PRELOAD=$preload timeout -k 5 "$limit" mpiexec.mpich -n 2 \
		"$programs/tick" barrier 1900 10000 >>"$tmp/seconds"
	"$bcs" slices --csv --metric=getts "$tmp"/record/*.bcs |
		awk -F , 'NR > 1 { print $4 / 1000 }' >"$tmp/slices.us"
	shares "$tmp/slices.us" >>"$tmp/slices"
	"$bcs" slices --csv --metric=ncollmsm --rank=0 "$tmp"/record/*.bcs \
		>"$tmp/barriers"
	spaces "$tmp/barriers" >>"$tmp/spaces"
	timeout "$limit" "$programs/tick" timer 250 5000 >"$tmp/timer.us"
	shares "$tmp/timer.us" >>"$tmp/timer"
}

# medians FILE COLUMNS
medians() {
	for column in $(seq "$2"); do
		median "$1" "$column"
	done | tr '\n' ' '
}

about
for _ in $(seq "$repetitions"); do
	tick
done
printf '\n%-22s %12s %12s %8s %8s %8s %8s %8s\n' "from one to the next" \
	"250-270, %" "245-255, %" "1 %, us" "25 %" "50 %" "75 %" "99 %"
for what in slices timer; do
	# shellcheck disable=SC2046 # seven numbers
	set -- $(medians $what 7)
	[ $what = slices ] && label=slices || label="a bare timer"
	printf '%-22s %12s %12s %8s %8s %8s %8s %8s\n' "$label" "$@"
	result "$label" paper_percent "$1" near_percent "$2" p1_us "$3" \
		p25_us "$4" p50_us "$5" p75_us "$6" p99_us "$7"
done
printf '%-22s %12s\n' "the paper's slices" 100
printf '\n%-22s %12s %12s %8s %8s\n' "barriers, slices apart" "7, %" "8, %" \
	"9, %" "other, %"
# shellcheck disable=SC2046 # four numbers
set -- $(medians spaces 4)
printf '%-22s %12s %12s %8s %8s\n' "" "$@"
result "barriers, slices apart" of_7_percent "$1" of_8_percent "$2" \
	of_9_percent "$3" other_percent "$4"
printf '%-22s %12s\n' "the paper's" "8 or 9, 100"
"$bcs" slices --svg --metric=getts "$tmp"/record/*.bcs >"$results/tick.svg"
