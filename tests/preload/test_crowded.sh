#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_crowded.sh PROGRAM
# The trace has the time for which ranks that share a core had none, as they see it themselves
# (programs/crowded.c).
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
export BCS_TRACE=on

[ -r /proc/thread-self/schedstat ] ||
	skip "Linux does not count waits for cores here"
observed 3 "$1" >"$out/stdout"
"$bcs" report --section=waits,account --json "$(the_record)" >"$out/waits"
python3 - "$out/waits" "$out/stdout" <<-'END' || fail "not what the ranks saw: $(cat "$out/stdout")"
	import json, sys
	run = json.load(open(sys.argv[1]))["runs"][0]
	found = {row["rank"]: row["no_core_ns"] for row in run["wait_cores"]}
	for line in open(sys.argv[2]):
	    rank, seen = map(int, line.split())
	    # Before and after what the rank looks at, others may have run, too.
	    assert seen * 0.9 - 5e6 < found[rank] < seen * 1.1 + 50e6, (rank, seen, found)
	assert len(found) == 3 and max(found.values()) > 100e6, found
	# The record without the trace has that of calls, too.
	whole = [row for row in run["account"] if row["part"] == "no_core"][0]
	assert max(found.values()) <= whole["max_ns"] and whole["total_ns"] < 3 * \
	    [row for row in run["account"] if row["part"] == "wall"][0]["max_ns"], whole
END
"$bcs" report "$(the_record)" | grep -q "^  - Without a core [0-9.]* %: for so much of their time" ||
	fail "the report has no sentence on it"
