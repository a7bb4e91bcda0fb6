#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: many.sh
# Of many ranks, too, the parts of a report agree with each other.
. "$BCS_SOURCE/tests/cli/record.sh"

"$BCS_BUILD"/tests/cli/synth_record many.bcs 300 40
"$bcs" report --json --paths many.bcs >paths.json
"$bcs" report --json many.bcs >many.json
"$bcs" report many.bcs >many.txt
python3 - <<-'END' || fail "the parts do not agree"
	import json

	def run(name):
	    with open(name, encoding="utf-8") as file:
	        return json.load(file)["runs"][0]

	def total(rows, column):
	    return sum(row[column] for row in rows)

	many = run("many.json")
	paths = run("paths.json")
	calls = [row for row in many["primitives"]
	         if row["primitive"].startswith("MPI_")]
	assert many["run"]["ranks"] == len(many["ranks"]) == 300
	for rows in many["sites"], paths["sites"]:
	    for column in "count", "total_ns", "waiting_ns", "sent_bytes":
	        assert total(rows, column) == total(calls, column), column
	assert total(many["ranks"], "calls") == total(calls, "count")
	assert total(many["ranks"], "sent_bytes") == total(calls, "sent_bytes")
	account = {row["part"]: row["total_ns"] for row in many["account"]}
	assert account["computation"] + account["communication"] == account["wall"]
	assert total(many["ranks"], "communication_ns") == account["communication"]
	times = [row for row in many["distributions"] if row["metric"] == "time"]
	for call in calls:
	    assert call["count"] == sum(row["count"] for row in times
	                                if row["of"] == call["primitive"])
	    assert call["min_ns"] <= call["p50_ns"] <= call["p99_ns"] <= call["max_ns"]
END
