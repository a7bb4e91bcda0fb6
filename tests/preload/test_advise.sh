#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_advise.sh
# The advice on a program that sends by blocking calls names its send and its receive, and the
# replay of what is not changed takes as long as the run did, on demand and natively.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
export BCS_TRACE=on

# line CALL: where the program has it first.
line() {
	grep -n "$1(" "$BCS_SOURCE/benchmarks/advise/advised.c" | head -n 1 | cut -d : -f 1
}

# advises: what to begin early, of the run and its times.
advises() {
	forget
	observed 2 "$1" exchange blocking 20 10 >"$out/stdout"
	"$bcs" advise --json "$(the_record)" >"$out/json"
	python3 - "$out/json" "$(line MPI_Send)" "$(line MPI_Recv)" <<-'END' ||
		import json, sys
		all = json.load(open(sys.argv[1]))
		assert all["run"]["time_ns"] == all["run"]["replayed_ns"], all["run"]
		found = {row["call"]: row for row in all["advice"]}
		for call, into, line in ("MPI_Send", "MPI_Isend", sys.argv[2]), (
		        "MPI_Recv", "MPI_Irecv", sys.argv[3]):
		    row = found[call]
		    assert row["into"] == into, row
		    assert row["site"] == "exchange_blocking advised.c:" + line, row
		    assert row["gain_ns"] <= row["most_ns"] <= all["run"]["time_ns"], row
	END
		fail "$BCS_MODE: $(cat "$out/json")"
}

for BCS_MODE in observe demand; do
	export BCS_MODE
	tries advises "$BCS_BUILD/benchmarks/advised"
done
