#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a message costs by each way to send and receive it, beside MPICH itself.
# usage: tools/bench.sh ways [--repetitions N] [PART]...
# PART: pair, pairs, crowd; by default all.  pair has 2 ranks, beside MPICH.  pairs and crowd
# have 4 and 8 ranks on this machine's cores, beside MPICH with BCS_POLITE=on.  Runs to be
# compared alternate.  Prints the median and the least of N (5) runs, of 22 ways at 8, 1024
# and 65536 bytes.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=300

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "pair pairs crowd" "$@"

# of WAY HOW: its figures of these runs, as a file.
of() {
	awk -v way="$1" '$1 == way { print $2 }' "$tmp/$2" >"$tmp/way.$2"
}

# way NAME BASE: a row; and its ratios to $tmp/ratios.
way() {
	of "$1" "$2"
	of "$1" demand
	echo "$1 $(median "way.$2") $(median way.demand)" \
		"$(least "way.$2") $(least way.demand)" | awk '{
		printf "%-34s %10.3f %10.3f %7.2f %10.3f %10.3f %7.2f\n", $1,
			$2, $3, $3 / $2, $4, $5, $5 / $4
	}'
	echo "$(median "way.$2") $(median way.demand)" >>"$tmp/ratios"
	result "$1, $bytes bytes, $ranks ranks" base "$(median "way.$2")" \
		value "$(median way.demand)" base_least "$(least "way.$2")" \
		value_least "$(least way.demand)"
}

# ways BASE RANKS
ways() {
	ranks=$2
	: >"$tmp/ratios"
	for bytes in 8 1024 65536; do
		printf '\n%-34s %10s %10s %7s %10s %10s %7s\n' \
			"us a message, $2 ranks, $bytes bytes" "$1" demand \
			ratio least least ratio
		turns "$1 demand" "$2" "$programs/ways" 0.05 "$bytes"
		awk '!seen[$1]++ { print $1 }' "$tmp/demand" >"$tmp/names"
		while read -r name; do
			way "$name" "$1"
		done <"$tmp/names"
	done
	awk '{ sum += log($2 / $1); over += $2 / $1 > 1.05 }
	END { printf "geometric mean %.2f (bar 0.65), %d of %d rows over 1.05\n",
		exp(sum / NR), over, NR }' "$tmp/ratios"
}

pair() {
	ways native 2
}

pairs() {
	ways polite 4
}

crowd() {
	ways polite 8
}

about
for part in $parts; do
	($part)
done
