#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Efficiencies of programs whose efficiencies are known, in each mode.
# usage: tools/bench.sh efficiency
# 2 ranks, 100 steps of 5 ms (tests/programs/efficient.c).  Known are parallel efficiency,
# load balance, serialisation: 1 1 1 (balanced), .75 .75 1 (imbalanced), .5 1 .5
# (alternating), and 1 for balance and serialisation of the program that moves 16 MiB.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
bcs=$root/build/analyzer/bcs
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

mpicc.mpich -O2 -o "$tmp/efficient" "$root/tests/programs/efficient.c"
printf '%-8s %-12s %9s %8s %14s %9s\n' mode program parallel balance \
	serialisation transfer
for mode in observe demand fixed; do
	for kind in balanced imbalanced alternating transfer; do
		rm -rf "$tmp/record"
		BCS_MODE=$mode BCS_OUT=$tmp/record \
			LD_PRELOAD=$root/build/pmpi-shim/libbcs-pmpi.so \
			timeout 120 mpiexec.mpich -n 2 "$tmp/efficient" "$kind" \
			</dev/null
		"$bcs" report --csv --section=efficiencies "$tmp"/record/*.bcs |
			awk -F , -v mode="$mode" -v kind="$kind" '
			NR == 2 {
				printf "%-8s %-12s %9.3f %8.3f", mode, kind,
					$2 / 100, $3 / 100
				if ($7 == "")
					printf " %14s %9s\n", "-", "-"
				else
					printf " %14.3f %9.3f\n", $7 / 100, $8 / 100
			}'
	done
done
