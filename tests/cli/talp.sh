#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: talp.sh
# The file for TALP-Pages has what it reads of DLB 3.5, with the numbers of the report.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

solve_record solve.42.bcs
{
	begin 0 1
	printf '0 %% 1 100 30 70\n1 Global 1 100 30 70\n' | table phases \
		"phase name count time_ns computation_ns communication_ns"
	printf '0 60 140 0 0 0 9\n' | table threads "$threads"
	end
} >odd.gz

"$bcs" report --json --section=efficiencies,ranks --talp=talp.json solve.42.bcs >report.json
python3 - <<-'END' || fail "not what the report has"
	import json

	NUMBERS = """numCpus numMpiRanks numNodes cycles instructions
	             numMeasurements numMpiCalls elapsedTime usefulTime mpiTime
	             parallelEfficiency mpiParallelEfficiency
	             mpiCommunicationEfficiency mpiLoadBalance mpiLoadBalanceIn
	             mpiLoadBalanceOut ompParallelEfficiency ompLoadBalance
	             ompSchedulingEfficiency ompSerializationEfficiency""".split()
	talp = json.load(open("talp.json"))
	run = json.load(open("report.json"))["runs"][0]
	assert talp["dlbVersion"].startswith("3.5")
	assert talp["timestamp"].endswith("Z")
	assert talp["resources"] == {"numCpus": 3, "numNodes": 1, "numMpiRanks": 3}
	regions = talp["Application"]
	for region in regions.values():
	    for number in NUMBERS:
	        assert region[number] >= 0, number

	whole = regions["Global"]
	told = run["efficiencies"][0]
	for ours, theirs in (("parallel", "parallelEfficiency"),
	                     ("balance", "mpiLoadBalance"),
	                     ("communication", "mpiCommunicationEfficiency")):
	    assert abs(told[ours + "_percent"] - 100 * whole[theirs]) < 0.01, theirs
	assert whole["elapsedTime"] == told["elapsed_ns"]
	assert whole["usefulTime"] == told["computation_ns"]
	for ours, theirs in (("communication_ns", "mpiTime"),
	                     ("calls", "numMpiCalls")):
	    assert whole[theirs] == sum(r[ours] for r in run["ranks"]), theirs
END

"$bcs" report --talp=odd.json odd.gz >odd.txt
python3 - <<-'END' || fail "a phase of the run's name"
	import json

	def once(pairs):
	    assert len(dict(pairs)) == len(pairs)
	    return dict(pairs)

	talp = json.load(open("odd.json"), object_pairs_hook=once)
	assert [(name, region["usefulTime"], region["mpiParallelEfficiency"])
	        for name, region in talp["Application"].items()] == [
	            ("Global", 60, 0.3), ("Global (phase)", 30, 0.3)]
END

fails 2 "--talp takes one record at a time" \
	"$bcs" report --talp=x solve.42.bcs odd.gz
fails 2 "cannot write to /nosuch/talp: No such file" \
	"$bcs" report --section=run --talp=/nosuch/talp solve.42.bcs
fails 2 "--talp" "$bcs" report --talp=x --timeline solve.42.bcs
