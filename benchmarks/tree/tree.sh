#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a decision by a tree costs: flat table, pointers, function; and the paper's.
# usage: tools/bench.sh tree [--repetitions N]
# Made-up broadcasts of 2 to 50 processes and 4 bytes to 2 MiB, as noisy as measured
# ones; a tree of depth 3 and the exact one.  65536 random queries of up to 16 MiB, which
# wait for each other (dependent) or not; the least of 0.2 s, medians of N (5) runs.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=60

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "all" "$@"

# code DEPTH: bytes of the emitted function.
code() {
	case $1 in
	3) name=depth3 ;;
	*) name=exact ;;
	esac
	size=$(nm -S "$programs/tree" 2>/dev/null |
		sed -n "s/^[^ ]* 0*\([^ ]*\) . bcs_${name}_choose\$/0x\1/p")
	echo $((${size:-0}))
}

# part DEPTH HOW: a row; the bars are those of a tree of depth 3.
part() {
	awk -v depth="$1" -v how="$2" '$1 == depth && $3 == how' "$tmp/rows" \
		>"$tmp/part"
	bytes=$(median part 6)
	[ "$2" != function ] || bytes=$(code "$1")
	bar=
	[ "$1 $2" != "3 flat" ] || bar="  bar: 5, 10, 400"
	printf '%-7s %10s  %-9s %12s %10s %7s%s\n' "$1" "$(median part 2)" "$2" \
		"$(median part 4)" "$(median part 5)" "$bytes" "$bar"
	result tree depth "$1" penalty "$(median part 2)" by "$2" \
		independent_ns "$(median part 4)" dependent_ns \
		"$(median part 5)" bytes "$bytes"
}

about
for _ in $(seq "$repetitions"); do
	timeout "$limit" "$programs/tree" >>"$tmp/rows"
done
printf '\n%-7s %10s  %-9s %12s %10s %7s\n' depth "penalty, %" by \
	"indep., ns" "dep., ns" bytes
for depth in 3 exact; do
	for how in pointers function flat; do
		part $depth $how
	done
done
cat <<-END

	the paper's table 3, reduce on Grig, Athlon 64 of 2.2 GHz
	depth   penalty, %  by                     ns   bytes
	2.92          5.63  pointers            54.53    3784
	2.92          5.63  function            13.87       -
	5.50          0.00  pointers            71.54   42952
	5.50          0.00  function            16.47       -
END
