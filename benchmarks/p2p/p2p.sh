#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What messages cost in slices (BCS_MODE=demand), beside MPICH itself.
# usage: tools/bench.sh p2p [--repetitions N] [PART]...
# PART: messages, crowd, overlap, idle; all of them by default.  Runs to be
# compared alternate; medians of N (7) runs.  Where ranks outnumber cores a run's
# figure is its mean, "polite" is MPICH with BCS_POLITE=on, and plain MPICH is run
# three times, for it takes milliseconds a message.  How fast pairs are depends on
# where the kernel puts them: neighbours on two cores need no switch between them.
# So there are figures for both, and of what the kernel chose, which is by chance.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=7
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "messages crowd overlap idle" "$@"

messages() {
	heading "us a message, 2 ranks" native demand ratio unrecorded ratio bar
	for test in "8 1.2" "4096 0.85" "16384 0.85" "65536 0.85" \
		"1048576 0.9" "16777216 1.0"; do
		turns "native demand bare" 2 "$programs/p2p" 0.3 pingpong \
			"${test% *}"
		median_and_least "ping-pong, ${test% *} bytes" "${test#* }"
	done
	for bytes in 4096 16384 65536 1048576; do
		turns "native demand bare" 2 "$programs/p2p" 0.3 written \
			"$bytes"
		median_and_least "$bytes bytes, written before" ""
	done
	for bytes in 65536 262144 1048576 4194304; do
		turns "native demand bare" 2 "$programs/p2p" 0.3 exchange \
			"$bytes"
		median_and_least "exchange of $bytes, 5 us late" ""
	done
	turns "native demand bare" 2 "$programs/p2p" 0.3 window 8
	median_and_least "64 Isend, Irecv of 8 bytes" 1.0
}

# pairs LABEL RANKS [COMMAND]...: ping-pong between neighbours, begun by the command.
pairs() {
	label=$1
	n=$2
	shift 2
	turns "polite demand bare" "$n" "$@" "$programs/p2p" 0.3 pingpong 8
	row "$label" 1.0 "$(median polite 2)" "$(median demand 2)" \
		"$(median bare 2)"
}

# plain RANKS [COMMAND]...: of the last row, beside MPICH as it is.
plain() {
	n=$1
	shift
	limit=600 # a message takes milliseconds
	for _ in 1 2 3; do
		run native "$n" "$@" "$programs/p2p" 0.3 pingpong 8
	done
	limit=120
	row "the same, plain MPICH" 0.0033 "$(median native 2)" \
		"$(median demand 2)" "$(median bare 2)"
}

crowd() {
	heading "us a message, ranks beyond cores" polite demand ratio \
		unrecorded ratio bar
	placed=$root/benchmarks/lib/placed.sh
	for n in 4 8 16; do
		pairs "each pair on one core, $n ranks" "$n" sh "$placed" together
		plain "$n" sh "$placed" together
		pairs "each pair on two cores, $n ranks" "$n" sh "$placed" apart
		pairs "ping-pong in pairs, $n ranks" "$n"
		plain "$n"
	done
}

# hidden HOW: what of the exchange cost no time, in per cent; of runs, for all three times
# of a run are of the same seconds.
hidden() {
	awk '{ print 100 * ($1 + $2 - $3) / $1 }' "$tmp/$1" >"$tmp/hidden"
	printf '%.1f' "$(median hidden)"
}

together() {
	awk '{ print $3 / ($1 + $2) }' "$tmp/$1" >"$tmp/together"
	printf '%.4f' "$(median together)"
}

overlap() {
	printf '\n%-52s %10s %10s  %s\n' "an exchange of 1 MiB" native demand bar
	for part in asleep one both; do
		turns "native demand" 2 "$programs/overlap" $part 1048576 60
		case $part in
		asleep) set -- "both asleep for 5 ms: hidden, %" 90 ;;
		one) set -- "one computes, one waits: hidden, %" 90 ;;
		both) set -- "both compute: hidden, %" - ;;
		esac
		printf '%-52s %10s %10s  %s\n' "$1" "$(hidden native)" \
			"$(hidden demand)" "$2"
	done
	printf '%-52s %10s %10s  %s\n' \
		"both compute: together / (compute + exchange)" \
		"$(together native)" "$(together demand)" 1.00
}

idle() {
	printf '\n%-52s %10s %10s  %s\n' "2 ranks compute 10 s" native demand bar
	repetitions=1
	turns "native demand" 2 "$programs/overlap" idle 10
	for how in native demand; do
		awk '{ printf "%.3f\n", 100 * ($2 / $1 - 1) }' "$tmp/$how" \
			>"$tmp/idle.$how"
	done
	printf '%-52s %10s %10s  %s\n' "with a receive outstanding: longer by, %" \
		"$(cat "$tmp/idle.native")" "$(cat "$tmp/idle.demand")" 0.2
}

about
for part in $parts; do
	($part)
done
