#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a model of this machine predicts that programs take, beside what they take.
# usage: tools/bench.sh predict [--repetitions N] [PART]...
# PART: blocking, nonblocking (variants of sweep), sage; all by default.  The model is
# fitted to what mpib measures, nothing else; how long is computed comes from the record
# of another run: of sweep's other variant, of sage once more.  Beside it SMPI, of
# SimGrid, which runs the program itself, with messages after the same round trips.
# Medians of N (5) runs of 2 ranks, in turn.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=120
cells=64
iterations=8
steps=400

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/fitted.sh
. "$root/benchmarks/lib/fitted.sh"
# shellcheck source=benchmarks/lib/smpi.sh
. "$root/benchmarks/lib/smpi.sh"
arguments "blocking nonblocking sage" "$@"
applications=$root/sim/examples
[ -d "$applications" ] || applications=$root/examples # installed
angles=128                                            # of all octants

platform() {
	set --
	for range in $ranges; do
		set -- "$@" "$tmp/pairs-$range.csv"
	done
	smpi_platform "$@"
	smpi_make sweep sweep/sweep.c sweep/sweep_cells.c lib/kernel.c
	smpi_make sage sage/sage.c sage/sage_share.c sage/sage_tile.c \
		lib/kernel.c
}

# computed PROGRAM...: ns that a rank computes, by the record of a run.
computed() {
	rm -rf "$tmp/record"
	mkdir "$tmp/record"
	BCS_MODE=observe BCS_OUT="$tmp/record" LD_PRELOAD="$preload" \
		timeout -k 5 "$limit" mpiexec.mpich -n 2 "$@" >/dev/null
	"$bcs" report --csv --section=account "$tmp"/record/*.bcs |
		awk -F , '$1 == "\"computation\"" { print $3 }'
}

# simulated PROGRAM SETTING...: seconds.
simulated() {
	application=$applications/$1.lua
	shift
	"$bcs" model simulate --system="$tmp/here.system" "$application" \
		--processes=rank=2 "$@" --csv |
		awk -F , 'NR == 2 { print $4 / 1e9 }'
}

# predicted PART NS: seconds, if the other run computed so long.
predicted() {
	case $1 in
	sage)
		simulated sage --set=steps=$steps --set=recorded=$steps \
			--set=computation="$(awk "BEGIN { print 2 * $2 }")"
		;;
	*)
		blocking=1
		[ "$1" = blocking ] || blocking=0
		angle=$(echo "$2" | awk -v n=$cells \
			-v all=$((iterations * angles)) \
			'{ printf "%.6f", $1 / (all * n ^ 3 / 2) }')
		simulated sweep --set=n=$cells --set=iterations=$iterations \
			--set=blocking=$blocking --set=angle="$angle" --set=cell=0
		;;
	esac
}

# describe PART: its program, what it is called with, and the other run's.
describe() {
	case $1 in
	sage)
		program=sage
		with="128 $steps"
		other=$with
		;;
	*)
		program=sweep
		with="$1 $cells $iterations"
		other="blocking $cells $iterations"
		[ "$1" = nonblocking ] || other="non$other"
		;;
	esac
}

# measured: the program as it is, on record the other run, and by SMPI, in turn.
measured() {
	rm -f "$tmp/native" "$tmp/computed" "$tmp/smpi"
	for _ in $(seq "$repetitions"); do
		# shellcheck disable=SC2086 # several words
		run native 2 "$programs/$program" $with
		# shellcheck disable=SC2086
		computed "$programs/$program" $other >>"$tmp/computed"
		# shellcheck disable=SC2086
		[ -n "$lacking" ] || smpi_run $program $with >>"$tmp/smpi"
	done
}

# compared PART: a line of the table.
compared() {
	ours=$(predicted "$1" "$(median computed)")
	theirs=-
	[ -n "$lacking" ] || theirs=$(median smpi)
	name=$program
	[ "$1" = sage ] || name="sweep $1"
	echo "$name|$(median native)|$ours|$theirs" | awk -F '|' '
		function error(s) {
			return s == "-" ? s : sprintf("%.1f%%", 100 * (s / $2 - 1))
		}
		{
			printf "%-18s %10.4f %10.4f %8s %10s %8s  10%%\n", $1, $2,
				$3, error($3), $4 == "-" ? $4 : sprintf("%.4f", $4),
				error($4)
		}'
	if [ "$theirs" = - ]; then
		theirs=
	fi
	result predict program "$name" measured_s "$(median native)" \
		predicted_s "$ours" smpi_s "$theirs"
}

about
lacking=$(smpi_lacking)
fit
[ -n "$lacking" ] || platform
printf '\n%-18s %10s %10s %8s %10s %8s  %s\n' program measured,s ours,s error \
	SMPI,s error bar
for part in $parts; do
	describe "$part"
	measured
	compared "$part"
done
[ -z "$lacking" ] || printf '\n%s\n' "$lacking"
