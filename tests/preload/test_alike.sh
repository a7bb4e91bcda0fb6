#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_alike.sh PROGRAM ARGUMENTS...
# A program that prints "SECONDS CHECK" (benchmarks/lib/kernel.h) has the same check
# with all of these arguments at 1 to 4 ranks, natively and in each mode; under a
# sanitizer where its messages go through slices.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
shift
modes="native observe demand fixed"
[ -z "${BCS_PRELOAD_FIRST-}" ] || modes="demand fixed"

# check RUN RANKS ARGUMENTS: what the program run so prints of it.
check() {
	# shellcheck disable=SC2086 # a list of words
	$1 "$2" "$program" $3 >"$out/line" || fail "$1 $2 $program $3: status $?"
	grep -Ex '[0-9.]+ [0-9a-f]{16}' "$out/line" | cut -d ' ' -f 2
}

expected=$(check native 1 "$1")
[ "$expected" ] || fail "no check: $(cat "$out/line")"
for arguments; do
	for n in 1 2 3 4; do
		for mode in $modes; do
			export BCS_MODE="$mode"
			how=observed
			[ "$mode" != native ] || how=native
			found=$(check $how $n "$arguments")
			[ "$found" = "$expected" ] || fail "$arguments:" \
				"$found instead of $expected, $n ranks, $mode"
		done
	done
done
