#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Table 6.1: what recording costs sage and sweep: calls (MMDS), slices (EMDS), both.
# usage: tools/bench.sh mds [--repetitions N] [PART]...
# PART: cost, share, time; all of them by default.  cost: of one call and of one
# slice on record, by a ping-pong with and without, the least of 3 N runs each.
# share: what that is of the programs' run time, for as many calls and slices as their
# records have.  time: their run time, measured; 2 ranks, demand.  Runs alternate;
# medians of N (15), with the middle half of them.  In the paper SAGE took 0.36 and
# 0.07 % longer with MMDS, 1.31 and 0.11 % with EMDS.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=15
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "cost share time" "$@"

# quartiles HOW
quartiles() {
	sort -n "$tmp/$1" | awk '{ v[NR] = $1 } END {
		printf "%.3f-%.3f", v[int((NR + 3) / 4)], v[int((3 * NR + 3) / 4)] }'
}

# least HOW
least() {
	cut -d ' ' -f 1 "$tmp/$1" | sort -n | head -n 1
}

# A message is two calls and a slice.  What others do to a run makes it longer only.
cost() {
	turns "bare demand emds" 2 "$programs/p2p" 0.1 pingpong 8
	for _ in 1 2; do
		for _ in $(seq "$repetitions"); do
			run bare 2 "$programs/p2p" 0.1 pingpong 8
			run demand 2 "$programs/p2p" 0.1 pingpong 8
			run emds 2 "$programs/p2p" 0.1 pingpong 8
		done
	done
	call=$(echo "$(least demand) $(least bare)" |
		awk '{ printf "%.1f", 1000 * ($1 - $2) / 2 }')
	slice=$(echo "$(least emds) $(least bare)" |
		awk '{ printf "%.1f", 1000 * ($1 - $2) }')
	printf '\n%-52s %8s  %s\n' "ns, by a ping-pong of 8 bytes" cost bar
	printf '%-52s %8s  %s\n' "a call on record" "$call" - \
		"a slice on record" "$slice" "150"
	result "cost, ns" call "$call" slice "$slice"
}

# on_record FILE...: calls, or slices, of one process on the average.
calls_on_record() {
	"$bcs" report --csv --section=primitives "$1" |
		awk -F , 'NR == 1 { for (i = 1; i <= NF; i++)
			if ($i == "\"count\"") at = i; next }
			$1 !~ /Comp|Comm/ { n += $at } END { printf "%d", n / 2 }'
}

slices_on_record() {
	"$bcs" slices --json "$1" | sed -n 's/.*"run": \([0-9]*\),.*"dropped": \([0-9]*\),.*/\1 \2/p' |
		awk '{ printf "%d", ($1 + $2) / 2 }'
}

share() {
	[ -n "${call-}" ] || cost
	printf '\n%-20s %9s %12s %12s %10s %10s\n' "2 ranks, a process" s \
		calls slices "MMDS, %" "EMDS, %"
	for program in sage "sweep blocking" "sweep nonblocking"; do
		rm -rf "$tmp/record"
		# shellcheck disable=SC2086 # its argument
		seconds=$(BCS_EMDS=on BCS_OUT=$tmp/record LD_PRELOAD=$preload \
			timeout -k 5 "$limit" mpiexec.mpich -n 2 \
			"$programs/"$program | cut -d ' ' -f 1)
		set -- "$(calls_on_record "$tmp"/record/*.bcs)" \
			"$(slices_on_record "$tmp"/record/*.bcs)"
		mmds=$(echo "$1 $call $seconds" | awk '{ printf "%.4f", $1 * $2 / $3 / 1e7 }')
		emds=$(echo "$2 $slice $seconds" | awk '{ printf "%.4f", $1 * $2 / $3 / 1e7 }')
		printf '%-20s %9s %12s %12s %10s %10s\n' "$program" "$seconds" \
			"$1" "$2" "$mmds" "$emds"
		result "share of $program" seconds "$seconds" calls "$1" \
			slices "$2" mmds_percent "$mmds" emds_percent "$emds"
	done
	printf '%-20s %9s %12s %12s %10s %10s\n' bar "" "" "" 0.1 0.2 \
		"the paper, SAGE" 115 "" "" 0.36 1.31 "" 193 "" "" 0.07 0.11
}

longer() {
	echo "$(median "$1") $(median bare)" |
		awk '{ printf "%.2f", 100 * ($1 / $2 - 1) }'
}

measured() {
	printf '\n%-20s %24s %9s %9s %9s\n' "2 ranks, s" "nothing on record" \
		"MMDS, %" "EMDS, %" "both, %"
	for program in sage "sweep blocking" "sweep nonblocking"; do
		# shellcheck disable=SC2086 # its argument
		turns "bare demand emds both" 2 "$programs/"$program
		printf '%-20s %8s %15s %9s %9s %9s\n' "$program" \
			"$(median bare)" "$(quartiles bare)" "$(longer demand)" \
			"$(longer emds)" "$(longer both)"
		result "time of $program" bare "$(median bare)" mmds "$(median demand)" \
			emds "$(median emds)" both "$(median both)"
	done
}

about
for part in $parts; do
	case $part in
	cost) cost ;;
	share) share ;;
	time) measured ;;
	esac
done
