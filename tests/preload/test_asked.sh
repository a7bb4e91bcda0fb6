#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_asked.sh PROGRAM
# A program that is asked for its record all the time (programs/asked.c) does
# not notice.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

export BCS_MEMORY=8M # for the tables of so many threads
for round in 1 2 3 4 5; do
	forget
	status observed 1 "$1" >"$out/output" 2>&1
	[ "$rc" -eq 0 ] || {
		cat "$out/output" >&2
		fail "round $round: ended with $rc"
	}
	[ "$(value "$(the_record)/rank-000000.gz" reason)" = finalize ] ||
		fail "round $round: it is not the last record that stayed"
done
