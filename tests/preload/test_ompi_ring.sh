#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_ompi_ring.sh PROGRAM
# A program of Open MPI (programs/ring.c, or the same in Fortran) has each call and each
# byte in the report's JSON, with 2, 3 and 4 ranks.  Its trace, its wait states and its
# efficiencies are there.  What needs the scheduler is refused, in one line each.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
program=$1
export BCS_MODE=observe BCS_TRACE=on

# counts RANKS: of all ranks, in the report.
counts() {
	python3 - "$out/report.json" "$1" <<-'END' || fail "$1 ranks: other numbers"
		import json, sys
		n = int(sys.argv[2])
		with open(sys.argv[1], encoding="utf-8") as file:
		    run = json.load(file)["runs"][0]
		calls = {row["primitive"]: (row["count"], row["sent_bytes"], row["received_bytes"])
		         for row in run["primitives"] if row["primitive"].startswith("MPI_")}
		expected = {name: (n, 0, 0) for name in (
		    "MPI_Init", "MPI_Finalize", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Waitall",
		    "MPI_Comm_dup", "MPI_Barrier", "MPI_Comm_free")}
		expected |= {
		    "MPI_Sendrecv": (10 * n, 4000 * n, 4000 * n),
		    "MPI_Isend": (n, 400 * n, 0), "MPI_Irecv": (n, 0, 400 * n),
		    "MPI_Send": (n - 1, 400 * (n - 1), 0), "MPI_Recv": (n - 1, 0, 400 * (n - 1)),
		    "MPI_Allreduce": (n, 8 * n, 8 * n), "MPI_Bcast": (n, 400, 400 * (n - 1)),
		}
		for name in sorted(expected | calls):
		    if expected.get(name) != calls.get(name):
		        sys.exit(f"{name}: {calls.get(name)} instead of {expected.get(name)}")
		if run["findings"]:
		    sys.exit(f"found: {run['findings']}")
	END
}

# says VERB WHAT PATTERN: what the command prints of the record.
says() {
	# shellcheck disable=SC2086 # words
	"$bcs" $1 "$(the_record)" >"$out/said" 2>"$out/stderr" ||
		fail "bcs $1: status $?: $(cat "$out/stderr")"
	grep -qE "$2" "$out/said" || fail "bcs $1 does not say $2: $(cat "$out/said")"
}

for ranks in 2 3 4; do
	forget
	observed "$ranks" "$program" </dev/null 2>"$out/stderr" ||
		fail "status $?: $(cat "$out/stderr")"
	[ ! -s "$out/stderr" ] || fail "it was said: $(cat "$out/stderr")"
	"$bcs" report --json "$(the_record)" >"$out/report.json"
	counts "$ranks"
	says "report --section=waits" 'late sender +.*MPI_Recv'
	says "report --section=efficiencies" 'for programs of MPICH only'
	says "report" "Open MPI v"
	grep -q 'BCS_POLITE' "$out/said" && fail "politeness is told of"
	says "export --format=csv" '"MPI_Sendrecv"'
	[ "$(grep -c '"call","MPI_Sendrecv"' "$out/said")" -eq $((10 * ranks)) ] ||
		fail "other calls in the trace"
	says "advise" .
	"$bcs" html -o "$out/page.html" "$(the_record)" || fail "no page"
done

status "$bcs" slices "$(the_record)" 2>"$out/stderr"
[ "$rc $(wc -l <"$out/stderr")" = "2 1" ] ||
	fail "bcs slices: $rc: $(cat "$out/stderr")"
