#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What recording costs: time a call, run time, memory, size of the record.
# usage: tools/bench.sh overhead [REPETITIONS]
# Native and preloaded runs alternate; medians are printed.  BCS_MODE=observe:
# messages are MPI's in both (for what slices cost: p2p.sh).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=${1:-9}
# shellcheck source=benchmarks/lib/places.sh
. "$root/benchmarks/lib/places.sh"
program=$programs/overhead
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

case $repetitions in
'' | *[!0-9]* | 0)
	echo "overhead.sh: repetitions must be a number from 1 on," \
		"not '$repetitions'" >&2
	exit 2
	;;
esac

median() {
	sort -n "$1" | sed -n "$(((repetitions + 1) / 2))p"
}

preloaded() {
	depth=$1
	shift
	BCS_MODE=observe BCS_OUT=$tmp BCS_CALLSITE_DEPTH=$depth LD_PRELOAD=$preload "$@"
}

# TEST UNIT: native, without call sites, with them at the default depth.
measure() {
	rm -f "$tmp"/native "$tmp"/flat "$tmp"/deep
	i=0
	while [ $i -lt "$repetitions" ]; do
		"$program" "$1" >>"$tmp/native"
		preloaded 0 "$program" "$1" >>"$tmp/flat"
		preloaded 8 "$program" "$1" >>"$tmp/deep"
		i=$((i + 1))
	done
	result "$1, $2" native "$(median "$tmp/native")" \
		depth_0 "$(median "$tmp/flat")" depth_8 "$(median "$tmp/deep")"
	echo "$(median "$tmp/native") $(median "$tmp/flat")" \
		"$(median "$tmp/deep")" |
		awk -v test="$1" -v unit="$2" '{
			printf "%-22s %11.2f %11.2f %11.2f %+9.2f %+9.2f" \
				" %8.4f %8.4f\n", test " (" unit ")",
				$1, $2, $3, $2 - $1, $3 - $1, $2 / $1, $3 / $1
		}'
}

results_begin
version=$(mpi_version)
echo "$(uname -sr), $(nproc) cores, MPICH $version, one process," \
	"medians of $repetitions"
printf '%-22s %11s %11s %11s %9s %9s %8s %8s\n' "" native "depth 0" "depth 8" \
	added added ratio ratio
measure iprobe "ns a call"
measure varying "ns a call"
measure isend "ns a call"
measure allreduce "ns a call"
measure work "us, 200 calls"
measure memory "KiB"

reading=$("$program" clock)
result clock native "$reading"
echo "a recorded call reads the clock twice, a reading takes $reading ns"
record=$(find "$tmp" -name '*.bcs' | head -n 1)
echo "record: $(find "$record" -type f -exec cat {} + | wc -c) bytes"
