#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_dropped.sh PROGRAM
# Ranks that drop their rights in mid-run, so that others may not read or write their
# memory any more, still get all of every message.
BCS_TEST_ROOT=whole
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# drops MODE RANKS WHO FIRST: a bit for each rank that does, and what it does first.
drops() {
	BCS_MODE=$1 observed "$2" "$program" "$3" "$4" >"$out/said" 2>&1 ||
		fail "$*: ended with $?: $(cat "$out/said")"
	grep -qx '0 messages were wrong' "$out/said" ||
		fail "$*: $(cat "$out/said")"
	forget
}

program=$1
for mode in demand fixed; do
	drops $mode 2 15 0
	drops $mode 2 15 1
	drops $mode 2 15 2
	drops $mode 2 1 3
	drops $mode 2 2 0
	drops $mode 2 15 5
	drops $mode 3 15 0
	drops $mode 4 15 4
done
