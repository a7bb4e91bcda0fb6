#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a model of this machine predicts that sweep takes, beside what it takes.
# usage: tools/bench.sh predict [--repetitions N]
# The model is fitted to round trips that mpib measures, nothing else; how long a cell
# is computed comes from the record of a run of the other variant.  Medians of N (5)
# runs of 2 ranks, in turn.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
repetitions=5
limit=120
cells=50
iterations=8

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "all" "$@"
application=$root/sim/examples/sweep.lua
[ -f "$application" ] || application=$root/examples/sweep.lua # installed
angles=128 # of all octants

fit() {
	echo "operation,processes,bytes,time" >"$tmp/points.csv"
	for range in 256:4096:256 8192:65536:4096 98304:1048576:65536; do
		timeout -k 5 "$limit" mpiexec.mpich -n 2 "$programs/mpib_run" \
			pairs --sizes=$range --repetitions=100:200 --csv \
			--error=0 --budget=0.1 >"$tmp/$range.csv"
	done
	"$bcs" model fit --save="$tmp/here.system" "$tmp"/*:*.csv >/dev/null
}

# angle VARIANT: ns to compute a cell for an angle, from the record of a run.
angle() {
	rm -rf "$tmp/record"
	mkdir "$tmp/record"
	BCS_MODE=observe BCS_OUT="$tmp/record" LD_PRELOAD="$preload" \
		timeout -k 5 "$limit" mpiexec.mpich -n 2 "$programs/sweep" "$1" \
		$cells $iterations >/dev/null
	"$bcs" report --csv --section=account "$tmp"/record/*.bcs |
		awk -F , -v n=$cells -v all=$((iterations * angles)) \
			'$1 == "\"computation\"" {
			printf "%.6f\n", $3 / (all * n ^ 3 / 2)
		}'
}

# predicted VARIANT ANGLE: seconds.
predicted() {
	blocking=1
	[ "$1" = blocking ] || blocking=0
	"$bcs" model simulate --system="$tmp/here.system" "$application" \
		--processes=rank=2 --set=n=$cells --set=iterations=$iterations \
		--set=blocking=$blocking --set=angle="$2" --set=cell=0 --csv \
		2>/dev/null | awk -F , 'NR == 2 { print $4 / 1e9 }'
}

about
fit
printf '\n%-16s %12s %12s %8s  %s\n' sweep measured,s predicted,s error bar
for variant in "blocking nonblocking" "nonblocking blocking"; do
	turns native 2 "$programs/sweep" "${variant% *}" $cells $iterations
	: >"$tmp/angles"
	for _ in $(seq "$repetitions"); do
		angle "${variant#* }" >>"$tmp/angles"
	done
	echo "${variant% *} $(median native)" \
		"$(predicted "${variant% *}" "$(median angles)")" |
		awk '{ printf "%-16s %12.4f %12.4f %7.1f%%  10%%\n", $1, $2, $3,
			100 * ($3 / $2 - 1) }'
	result predict variant "${variant% *}" measured_s "$(median native)" \
		predicted_s "$(predicted "${variant% *}" "$(median angles)")"
done
