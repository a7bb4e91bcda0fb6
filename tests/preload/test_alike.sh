#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_alike.sh PROGRAM ARGUMENTS...
# A program that prints "SECONDS CHECK" (benchmarks/lib/kernel.h) has the same check
# with all of these arguments at 2 to 4 ranks in each mode that carries messages as it has
# alone without the preload.  MPI carries them at 3 ranks, but not under a sanitizer.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
shift

# check native|observed RANKS ARGUMENTS: what the program run so prints of it.
check() {
	# shellcheck disable=SC2086 # a list of words
	$1 "$2" "$program" $3 >"$out/line" || fail "$1 $2 $program $3: status $?"
	grep -Ex '[0-9.]+ [0-9a-f]{16}' "$out/line" | cut -d ' ' -f 2
}

expected=$(check native 1 "$1")
[ "$expected" ] || fail "no check: $(cat "$out/line")"

# alike MODE RANKS ARGUMENTS
alike() {
	export BCS_MODE="$1"
	found=$(check observed "$2" "$3")
	[ "$found" = "$expected" ] ||
		fail "$3: $found instead of $expected, $2 ranks, $1"
}

for arguments; do
	[ -n "${BCS_PRELOAD_FIRST-}" ] || alike observe 3 "$arguments"
	for n in 2 3 4; do
		for mode in demand fixed; do
			alike $mode $n "$arguments"
		done
	done
done
