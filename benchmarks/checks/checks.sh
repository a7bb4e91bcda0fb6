#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What looking for faults and recording a schedule cost on demand.
# usage: tools/bench.sh checks [--repetitions N] [PART]...
# PART: all of them by default
#   faults    the search for deadlocks and the other checks that are on by default
#             (checked), the same with synchronous sends (sends), and neither
#   buffers   the checks of buffers, and closed pages of receives
#   schedule  recording and repeating the schedule of a program that has a wildcard
#             receive for each 5 us of work
# Runs alternate, with 2 ranks; seconds, medians of N (5), medians of the ratios, and the
# slowest runs.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "faults buffers schedule" "$@"

# once HOW PROGRAM...: runs it, and adds a row to $tmp/HOW.
once() {
	as=$1
	shift
	unset BCS_RECORD BCS_REPLAY
	export BCS_DEADLOCK=abort BCS_STRICT=none BCS_JOB=run
	case $as in
	unchecked) BCS_DEADLOCK=off ;;
	sends) BCS_STRICT=sends ;;
	sends,*) BCS_STRICT=$as ;;
	recorded) export BCS_RECORD=schedule ;;
	repeated) export BCS_REPLAY="$tmp/schedule" ;;
	esac
	run demand 2 "$@"
	tail -n 1 "$tmp/demand" >>"$tmp/$as"
}

slowest() {
	sort -n "$tmp/$1" | tail -n 1 | cut -d ' ' -f 1
}

# beside "HOW..." LABEL BAR PROGRAM...: compares each with the first.
beside() {
	hows=$1
	label=$2
	bar=$3
	shift 3
	for how in $hows; do
		rm -f "$tmp/$how"
	done
	for _ in $(seq "$repetitions"); do
		for how in $hows; do
			once "$how" "$@"
		done
	done
	base=${hows%% *}
	for how in ${hows#* }; do
		cp "$tmp/$base" "$tmp/native"
		worst=$(slowest "$how")
		row "$label, $how" "$bar" "$(median "$base")" \
			"$(median "$how")" "$worst" "$(paired "$how")" \
			"$(echo "$worst $(slowest "$base")" |
				awk '{ print $1 / $2 }')"
	done
}

# each "HOW..." BAR: compares three programs.
each() {
	beside "$1" sweep "$2" "$programs/sweep" blocking 32 20
	beside "$1" sage "$2" "$programs/sage" 200
	beside "$1" wildcards "$2" "$programs/wildcards" 100000
}

faults() {
	heading "s, 2 ranks" unchecked checked ratio worst ratio bar
	each "unchecked checked sends" 1.05
}

buffers() {
	heading "s, 2 ranks" unchecked checked ratio worst ratio bar
	each "unchecked sends,buffers sends,buffers,pages" -
}

# Each task has two outcomes at least, a receive and the test that finds it.  Tests
# in vain are more outcomes, so one takes less than this.
schedule() {
	tasks=100000
	heading "s, 2 ranks" unrecorded value ratio worst ratio bar
	BCS_MODE=demand BCS_RECORD=schedule BCS_OUT=$tmp/record \
		LD_PRELOAD=$preload timeout -k 5 "$limit" "$mpiexec" -n 2 \
		"$programs/wildcards" $tasks >/dev/null
	rm -rf "$tmp/schedule"
	mv "$tmp"/record/*.bcs "$tmp/schedule"
	beside "unrecorded recorded repeated" wildcards 1.05 \
		"$programs/wildcards" $tasks
	bytes=$(cat "$tmp"/schedule/*.schedule | wc -c)
	echo "$bytes bytes of files, $(echo "$bytes $tasks" |
		awk '{ printf "%.4f", $1 / $2 / 2 }') for an outcome at most (bar 1)"
	result schedule bytes "$bytes" outcomes $((2 * tasks)) bar 1
}

about
for part in $parts; do
	$part
done
