#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What bcs advise predicts that non-blocking calls gain, beside what they gain.
# usage: tools/bench.sh advise [--repetitions N] [PART]...
# PART: exchange, sum, uneven (pairs of advised.c), sweep, halo, pipeline; all by default.
# Each program has a blocking and a non-blocking variant.  They run by turns, N (5) times, at
# 2 and 4 ranks in each mode; between them the blocking one runs on record twice: as by
# bcs run --advise, and as by bcs run --trace, which does not look for uses of buffers.
# gain: by how much less the non-blocking variant takes, as the median of the turns.
# predicted: the gain by the advice on the first record, in % of the program's own seconds;
# at most: its bound; trace alone: the gain by the advice on the second record, if buffers are
# used by nothing before the next call.  error: how far predicted is from gain, in % of the gain;
# where that is below 3 %, in points.  sweep's variant takes further buffers, so that uses do not
# bind it: its error is that of trace alone.  The bar is 20 %, or 3 points.  uneven cannot gain
# from overlap.
# A run takes less than a second.  In a real-time class (chrt) a second passes before the next,
# so that it is not throttled.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "exchange sum uneven sweep halo pipeline" "$@"

rest() {
	case $(chrt -p $$ 2>&1) in
	*SCHED_OTHER*) ;;
	*) sleep 1 ;;
	esac
}

# line PART VARIANT: the program and its arguments.
line() {
	case $1 in
	sweep) echo "$programs/sweep $2 32 20" ;;
	halo) echo "$programs/halo $2 2048 40" ;;
	pipeline) echo "$programs/pipeline $2 65536 200" ;;
	*) echo "$programs/advised $1 $2" ;;
	esac
}

# variant PART VARIANT: a row of $tmp/VARIANT.
variant() {
	rest
	rm -f "$tmp/$mode"
	# shellcheck disable=SC2046 # several words
	run "$mode" "$ranks" $(line "$1" "$2")
	cat "$tmp/$mode" >>"$tmp/$2"
}

# advice PART KEY: a row "GAIN MOST" in % of $tmp/KEY; what is recorded is BCS_KEY.
advice() {
	rest
	# shellcheck disable=SC2046,SC2086 # several words
	seconds=$(env "BCS_$2=on" BCS_MODE="$mode" BCS_OUT="$tmp/record" \
		LD_PRELOAD="$preload" timeout -k 5 "$limit" $mpiexec -n "$ranks" \
		$(line "$1" blocking) </dev/null)
	"$bcs" advise --json "$(echo "$tmp"/record/*.bcs)" |
		sed -n 's/.*"run".*"gain_ns": \([0-9]*\), "most_ns": \([0-9]*\).*/\1 \2/p' |
		awk -v seconds="${seconds%% *}" \
			'{ print $1 / 1e7 / seconds, $2 / 1e7 / seconds }' >>"$tmp/$2"
	rm -rf "$tmp/record"
}

# gain: the median of the turns' gains in %.
gain() {
	paste -d ' ' "$tmp/blocking" "$tmp/nonblocking" |
		awk '{ print 100 * (1 - $(NF / 2 + 1) / $1) }' >"$tmp/gain"
	median gain
}

# compared PART: a line of the table.
compared() {
	rm -f "$tmp/blocking" "$tmp/nonblocking" "$tmp/ADVISE" "$tmp/TRACE"
	for _ in $(seq "$repetitions"); do
		variant "$1" blocking
		advice "$1" ADVISE
		variant "$1" nonblocking
		advice "$1" TRACE
	done
	told=$(median ADVISE)
	[ "$1" != sweep ] || told=$(median TRACE)
	echo "$1 $ranks $mode $(median blocking) $(median nonblocking) $(gain)" \
		"$(median ADVISE) $(median ADVISE 2) $(median TRACE) $told" | awk '
	function error(gain, told) {
		if (gain < 3)
			return sprintf("%+.1f pt", told - gain)
		return sprintf("%+.0f%%", 100 * (told / gain - 1))
	}
	{
		printf "%-8s %5s %-6s %10.3f %13.3f %5.1f%% %9.1f%% %7.1f%% %10.1f%% %8s\n",
			$1, $2, $3, $4, $5, $6, $7, $8, $9, error($6, $10)
	}'
	result "$1 $ranks $mode" blocking_s "$(median blocking)" \
		nonblocking_s "$(median nonblocking)" gain_percent "$(gain)" \
		predicted_percent "$(median ADVISE)" most_percent "$(median ADVISE 2)" \
		trace_percent "$(median TRACE)"
}

about
printf '\n%-8s %5s %-6s %10s %13s %6s %10s %8s %11s %8s\n' program ranks mode blocking,s \
	nonblocking,s gain predicted "at most" "trace alone" error
for part in $parts; do
	for ranks in 2 4; do
		for mode in demand fixed; do
			compared "$part"
		done
	done
done
