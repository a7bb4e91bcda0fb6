#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The first moments of a program: what it takes to begin and end, and its first messages.
# usage: tools/bench.sh start [--repetitions N] [PART]...
# PART: nothing, messages; both by default.  Runs to be compared alternate; medians of N
# (20) runs, and the worst of them.  Nothing is bound and nothing warm: where the kernel
# puts two ranks first is part of it.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=20
limit=60

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "nothing messages" "$@"

# worst HOW COLUMN
worst() {
	awk -v column="$2" '{ print $column }' "$tmp/$1" | sort -n | tail -n 1
}

# line LABEL COLUMN BAR WORST_BAR HOW...: native and each HOW.
line() {
	what=$1
	column=$2
	bars="$3 $4"
	shift 4
	for how; do
		echo "$(median native "$column") $(median "$how" "$column")" \
			"$(worst native "$column") $(worst "$how" "$column")" \
			"$bars" |
			awk -v label="$what, $how" '{
			printf "%-34s %9.3f %9.3f %6.2f %9.3f %9.3f %6.2f  %s, %s\n",
				label, $1, $2, $2 / $1, $3, $4, $4 / $3, $5, $6
		}'
		result "$what" how "$how" native "$(median native "$column")" \
			value "$(median "$how" "$column")" \
			native_worst "$(worst native "$column")" \
			worst "$(worst "$how" "$column")"
	done
}

columns() {
	printf '\n%-34s %9s %9s %6s %9s %9s %6s  %s\n' "$1" native ours ratio \
		worst ours ratio bars
}

# whole: the last rows of $tmp/native, demand, observe with the time of the whole program.
whole() {
	before=$(date +%s%N)
	run "$1" "$2" "$programs/start" nothing
	after=$(date +%s%N)
	echo "$(tail -n 1 "$tmp/$1") $before $after" |
		awk '{ print $1, $2, ($4 - $3) / 1e6 }' >>"$tmp/whole.$1"
}

nothing() {
	columns "ms, a program without messages"
	for n in 1 2 4; do
		rm -f "$tmp"/native "$tmp"/demand "$tmp"/observe "$tmp"/whole.*
		for _ in $(seq "$repetitions"); do
			for how in native demand observe; do
				whole $how $n
			done
		done
		for how in native demand observe; do
			mv "$tmp/whole.$how" "$tmp/$how"
		done
		line "MPI_Init, $n" 1 1.1 - demand observe
		line "MPI_Finalize, $n" 2 1.1 - demand observe
		line "all of it, $n" 3 1.1 - demand observe
	done
}

messages() {
	columns "us a message, 2 ranks, first"
	for test in window pingpong barrier large; do
		turns "native demand" 2 "$programs/start" $test
		case $test in
		window) label="64 of 8 bytes" ;;
		pingpong) label="8 bytes" ;;
		barrier) label="a barrier" ;;
		large) label="1 MiB" ;;
		esac
		line "$label, 5 ms" 1 1.1 1.2 demand
		line "$label, 50 ms" 2 1.1 1.2 demand
		line "$label, 500 ms" 3 1.1 1.2 demand
	done
}

about
for part in $parts; do
	($part)
done
