#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_advise_bench.sh
# `bcs bench advise` runs both variants of a program, asks for advice on its records, and prints
# a line for each number of ranks and mode; its results have the same numbers.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

BCS_RESULTS=$out/results "$BCS_BUILD/analyzer/bcs" bench advise --repetitions 1 pipeline \
	>"$out/table" || fail "status $?: $(cat "$out/table")"
awk '
	/^pipeline/ {
		n++
		for (i = 4; i <= 9; i++)
			if ($i !~ /^-?[0-9.]+%?$/)
				exit 1
		# What is predicted is not more than its bound.
		if (NF < 10 || $7 + 0 > $8 + 0 || $8 + 0 > 100)
			exit 1
		lines = lines $2 $3 " "
	}
	END { exit n != 4 || lines != "2demand 2fixed 4demand 4fixed " }' "$out/table" ||
	fail "$(cat "$out/table")"
python3 - "$out/results/advise.jsonl" <<-'END' || fail "$(cat "$out/results/advise.jsonl")"
	import json, sys
	rows = [json.loads(line) for line in open(sys.argv[1])][1:]
	assert [row["what"] for row in rows] == [
	    f"pipeline {ranks} {mode}" for ranks in (2, 4) for mode in ("demand", "fixed")], rows
	for row in rows:
	    assert 0 <= row["predicted_percent"] <= row["most_percent"], row
	    assert row["blocking_s"] > 0 and row["nonblocking_s"] > 0, row
END
