#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What slices cost adaptive hydrodynamics in the manner of SAGE, by ranks.
# usage: tools/bench.sh sage [--repetitions N] [PART]...
# PART: figure, table; both by default: figure 6.1 and table 5.3 of the BCS-MPI
# paper.  Runs alternate; seconds, medians of N (5).  "polite" is MPICH with
# BCS_POLITE=on; plain MPICH is run once where ranks outnumber cores.  d/n, d/p,
# f/n: demand/native, demand/polite, fixed/native.  table: a run of 2 ranks.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=300

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/figure.sh
. "$root/benchmarks/lib/figure.sh"
arguments "figure table" "$@"

# milliseconds: what `bcs report --csv` says of primitives, as in the paper.
milliseconds() {
	tr -d '"' | awk -F , '
	NR == 1 {
		printf "\n%-20s %10s %10s %12s %8s %11s\n", "Primitive",
			"Min(ms)", "Max(ms)", "Total(ms)", "Count", "Average(ms)"
		next
	}
	{
		printf "%-20s %10.3f %10.3f %12.3f %8d %11.3f\n", $1, $2 / 1e6,
			$3 / 1e6, $4 / 1e6, $5, $6 / 1e6
	}'
}

table() {
	BCS_MODE=demand BCS_OUT=$tmp/record LD_PRELOAD=$preload \
		timeout -k 5 "$limit" mpiexec.mpich -n 2 "$programs/sage" \
		>/dev/null
	"$bcs" report --csv "$tmp"/record/*.bcs | milliseconds
	echo
	"$bcs" report --section=account "$tmp"/record/*.bcs
}

about
for part in $parts; do
	case $part in
	figure) figure "s, sage" "$programs/sage" ;;
	table) table ;;
	esac
done
