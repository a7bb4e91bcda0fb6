#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Replayed runs beside measured ones, and how fast a replay is.
# usage: tools/bench.sh replay [--repetitions N] [PART]...
# PART: alike, crowd, modes, gain, latency, rate; all by default.  A system is fitted to what mpib
# measures.  Each of N (5) runs on record is replayed on it, unchanged: an error is of
# the replay of a run to the run.  native: the program's own seconds without the preload;
# traced: with.  recorded: from MPI_Init to MPI_Finalize; then the median of the errors,
# and the largest one.  alike: 2 ranks.  crowd: 4 and 8 ranks, which may be more than
# cores.  modes: the record of a run by MPI alone, replayed by demand and in slices of
# 250 us, beside runs in these modes, by the program's own seconds.  gain: what sweep's
# non-blocking variant gains in each mode, and what its blocking sends and receives would
# gain by --nonblocking, in % of the blocking run.  latency: a run with so much more
# latency, and its time as the messages on the critical path tell it.  rate: events a
# second of a processor, and the memory of it.  A run takes less than a second, and a
# second passes before the next: so real-time processes (chrt) are not throttled.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/fitted.sh
. "$root/benchmarks/lib/fitted.sh"
arguments "alike crowd modes gain latency rate" "$@"

# traced RANKS PROGRAM...: a row of $tmp/traced; its record is $tmp/trace.
traced() {
	ranks=$1
	shift
	sleep 1
	rm -rf "$tmp/trace"
	# shellcheck disable=SC2086 # several words
	BCS_MODE=observe BCS_TRACE=on BCS_OUT="$tmp/trace" LD_PRELOAD="$preload" \
		timeout -k 5 "$limit" $mpiexec -n "$ranks" "$@" \
		>>"$tmp/traced" </dev/null
}

# replayed OPTION...: a row "RECORDED REPLAYED" in s.
replayed() {
	"$bcs" model simulate --trace="$(echo "$tmp"/trace/*.bcs)" \
		--system="$tmp/here.system" --json "$@" |
		sed -n 's/.*"total".*"recorded_ns": \([0-9]*\), "replayed_ns": \([0-9]*\),.*/\1 \2/p' |
		awk '{ print $1 / 1e9, $2 / 1e9 }'
}

# errors: the median of errors in %, and the largest one, of $tmp/replayed.
errors() {
	awk '{ print 100 * ($2 / $1 - 1) }' "$tmp/replayed" | sort -n |
		awk '{ e[NR] = $1 } END {
			most = e[NR] > -e[1] ? e[NR] : e[1]
			printf "%+.1f %+.1f\n", e[int((NR + 1) / 2)], most }'
}

# compared BAR RANKS PROGRAM...: a line of the table.
compared() {
	bar=$1
	n=$2
	shift 2
	name="$(basename "$1") $n"
	rm -f "$tmp/native" "$tmp/traced" "$tmp/replayed"
	for _ in $(seq "$repetitions"); do
		sleep 1
		[ "$n" -gt 2 ] || run native "$n" "$@"
		traced "$n" "$@"
		replayed >>"$tmp/replayed"
	done
	native=-
	[ "$n" -gt 2 ] || native=$(median native)
	# shellcheck disable=SC2046 # several words
	set -- "$native" "$(median traced)" "$(median replayed)" \
		"$(median replayed 2)" $(errors)
	printf '%-12s %9s %9s %11s %11s %6s%% %6s%%  %s\n' "$name" "$1" "$2" "$3" \
		"$4" "$5" "$6" "$bar"
	[ "$1" != - ] || native=
	result "$name" native_s "$native" traced_s "$2" recorded_s "$3" replayed_s "$4" \
		error_percent "${5#+}" worst_percent "${6#+}" bar "$bar"
}

table() {
	printf '\n%-12s %9s %9s %11s %11s %7s %7s  %s\n' "program" native,s traced,s \
		recorded,s replayed,s error worst bar
}

alike() {
	table
	compared 2% 2 "$programs/sweep" blocking 64 4
	compared 2% 2 "$programs/sage" 128 200
	compared 2% 2 "$programs/jor" --size=128 --solve --periods=1
	compared 2% 2 "$programs/stencil" 64 160
}

crowd() {
	table
	for n in 4 8; do
		compared 5% "$n" "$programs/sweep" blocking 64 2
		compared 5% "$n" "$programs/sage" 128 100
		compared 5% "$n" "$programs/stencil" 64 160
	done
}

# mode NAME PROGRAM...: lines of a program in both modes.  The time outside of what it measures
# itself is that of the run on record.
mode() {
	what=$1
	shift
	rm -f "$tmp/traced" "$tmp/demand" "$tmp/fixed" "$tmp/replayed-"*
	for _ in $(seq "$repetitions"); do
		traced 2 "$@"
		replayed --strobe=demand >>"$tmp/replayed-demand"
		replayed --strobe=fixed:0.00025 >>"$tmp/replayed-fixed"
		for how in demand fixed; do
			sleep 1
			run "$how" 2 "$@"
		done
	done
	for how in demand fixed; do
		paste -d ' ' "$tmp/traced" "$tmp/replayed-$how" |
			awk '{ print $1 + $NF - $(NF - 1) }' >"$tmp/predicted"
		echo "$(median "$how") $(median predicted)" | awk -v what="$what $how" '
			{ printf "%-20s %11.4f %11.4f %+6.1f%%\n", what, $1, $2,
				100 * ($2 / $1 - 1) }'
		result "$what $how" measured_s "$(median "$how")" \
			predicted_s "$(median predicted)"
	done
}

modes() {
	printf '\n%-20s %11s %11s %7s\n' "program" measured,s predicted,s error
	mode "blocking" "$programs/sweep" blocking 64 4
	mode "nonblocking" "$programs/sweep" nonblocking 64 4
	mode "sage" "$programs/sage" 128 200
	mode "stencil" "$programs/stencil" 64 160
}

# seconds OPTION...: the program's own, of a replay.
seconds() {
	echo "$(tail -n 1 "$tmp/traced") $(replayed "$@")" |
		awk '{ print $1 + $NF - $(NF - 1) }'
}

# sites: --nonblocking of each place of a send or a receive.
sites() {
	"$bcs" export "$tmp"/trace/*.bcs |
		sed -n 's/.*"MPI_\(Send\|Recv\)".*"[^" ]* \([^" ]*\)",,,$/--nonblocking=\2/p' |
		sort -u
}

gain() {
	policies="native demand fixed:0.00025"
	rm -f "$tmp/traced" "$tmp/native" "$tmp/demand" "$tmp/fixed" "$tmp/gain-"*
	for _ in $(seq "$repetitions"); do
		traced 2 "$programs/sweep" blocking 64 4
		changed=$(sites)
		for policy in $policies; do
			how=${policy%:*}
			# shellcheck disable=SC2086 # several words
			echo "$(seconds --strobe="$policy") $(seconds --strobe="$policy" $changed)" |
				awk '{ print 100 * (1 - $2 / $1) }' >>"$tmp/gain-$how"
			for variant in blocking nonblocking; do
				sleep 1
				rm -f "$tmp/$how"
				run "$how" 2 "$programs/sweep" $variant 64 4
				cut -d ' ' -f 1 "$tmp/$how" >>"$tmp/gain-$how-$variant"
			done
		done
	done
	printf '\n%-20s %11s %11s %10s %10s\n' "program" blocking,s nonblock,s gained \
		predicted
	for policy in $policies; do
		how=${policy%:*}
		echo "$(median "gain-$how-blocking") $(median "gain-$how-nonblocking")" \
			"$(median "gain-$how")" | awk -v how="sweep $how" '{
			printf "%-20s %11.4f %11.4f %9.1f%% %9.1f%%\n", how, $1, $2,
				100 * (1 - $2 / $1), $3 }'
		result "gain $how" blocking_s "$(median "gain-$how-blocking")" \
			nonblocking_s "$(median "gain-$how-nonblocking")" \
			predicted_percent "$(median "gain-$how")"
	done
}

# critical: the messages on the critical path.
critical() {
	"$bcs" model simulate --trace="$(echo "$tmp"/trace/*.bcs)" \
		--system="$tmp/here.system" --json |
		sed -n 's/.*"critical_messages": \([0-9]*\),.*/\1/p'
}

# sensitive PROGRAM...: a line for each latency.
sensitive() {
	rm -f "$tmp/traced"
	traced 2 "$@"
	messages=$(critical)
	base=$(replayed | cut -d ' ' -f 2)
	for us in 10 50 100; do
		echo "$(replayed --add-latency="${us}e-6" | cut -d ' ' -f 2) $base $messages $us" |
			awk -v what="$(basename "$1")" '{
			told = $2 + $3 * $4 * 1e-6
			printf "%-20s %11s %9s %11.4f %11.4f %+7.2f%%\n", what, "+" $4,
				$3, $1, told, 100 * (told / $1 - 1) }'
	done
}

latency() {
	printf '\n%-20s %11s %9s %11s %11s %8s\n' "program" latency,us messages replayed,s \
		told,s error
	sensitive "$programs/sweep" blocking 64 4
	sensitive "$programs/sage" 128 200
	sensitive "$programs/stencil" 64 160
}

# rate: of records of many small messages, of which one is ten times as long.
rate() {
	printf '\n%-14s %9s %9s %11s\n' "program" events peak,MiB Mevents/s
	for steps in 10000 100000; do
		traced 2 "$programs/stencil" 8 $steps
		/usr/bin/time -f %M -o "$tmp/peak" "$bcs" model simulate --verbose --json \
			--trace="$(echo "$tmp"/trace/*.bcs)" \
			--system="$tmp/here.system" 2>"$tmp/rate" >/dev/null
		echo "$steps $(cat "$tmp/rate") $(cat "$tmp/peak")" | awk '{
			printf "stencil %-6s %9s %9.1f %11s\n", $1, $2, $NF / 1024,
				$(NF - 4) }'
		result "rate $steps" events "$(cut -d ' ' -f 1 "$tmp/rate")" \
			peak_kib "$(cat "$tmp/peak")" \
			million_a_second "$(sed 's/.*processor: \([0-9.]*\).*/\1/' "$tmp/rate")"
	done
}

about
fit
for part in $parts; do
	"$part"
done
