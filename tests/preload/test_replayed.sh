#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_replayed.sh PROGRAM...
# The trace of programs that make calls of all kinds is replayed to its end, by MPI alone,
# on demand and in slices, and nothing is doubtful about it.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
export BCS_TRACE=on

for BCS_MODE in observe demand; do
	export BCS_MODE
	for program; do
		forget
		observed 3 "$program" "$out/file" >"$out/stdout"
		for policy in native demand fixed:0.0001; do
			"$bcs" model simulate --trace="$(the_record)" --json \
				--loggp=1,0.5,0.0001 --strobe=$policy \
				>"$out/json" 2>"$out/stderr" ||
				fail "$program, $policy: $(cat "$out/stderr")"
			[ ! -s "$out/stderr" ] ||
				fail "$program, $policy: $(cat "$out/stderr")"
			grep -q '"ranks": 3, .*"as_recorded": 0, "lost_events": 0}' \
				"$out/json" || fail "$program: $(cat "$out/json")"
		done
	done
done
