#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: waits.sh
# Wait states that `bcs report --section=waits` finds in traces whose events are known.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

# run_of NAME RANKS [RANKS_OF_A_HOST]: a record with the events on stdin.
run_of() {
	solve_record "$1.bcs"
	"$BCS_BUILD"/tests/cli/synth_events "$1.bcs" "$2" ${3:+"$3"}
	"$bcs" report --section=waits --json "$1.bcs" >"$1.json"
	"$bcs" export "$1.bcs" >"$1.csv"
	parts "$1"
}

# parts NAME: the parts of the calls of a site make up the time that the trace has.
parts() {
	python3 - "$1" <<-'END' || fail "$1: the parts of calls"
		import csv, json, sys
		run = json.load(open(sys.argv[1] + ".json"))["runs"][0]
		times = {}
		for row in csv.DictReader(open(sys.argv[1] + ".csv")):
		    if row["event"] == "call":
		        key = row["site"] or "(unknown)", row["call"]
		        count, time = times.get(key, (0, 0))
		        times[key] = count + 1, time + int(row["time_ns"])
		states = [name for name in run["wait_calls"][0]
		          if name.endswith("_ns") and name not in
		          ("total_ns", "waiting_ns")]
		assert len(states) == 15, states
		for row in run["wait_calls"]:
		    assert sum(row[name] for name in states) == row["total_ns"], row
		    assert times.pop((row["site"], row["call"])) == (
		        row["count"], row["total_ns"]), row
		assert not times, times
		sums = {row["state"]: row["total_ns"] for row in run["waits"]}
		assert sum(sums.values()) == 2 * sums["all calls"], sums
		for row in run["wait_sites"]:
		    if row["other_call"] or row["unknown_ns"]:
		        assert row["total_ns"] == row["direct_ns"] + \
		            row["propagated_ns"] + row["unknown_ns"], row
	END
}

# finds NAME: the lines on stdin are its waits, in us:
# STATE, CALL, OTHER CALL, COUNT, TOTAL, DIRECT, PROPAGATED, UNKNOWN.
finds() {
	sort >wanted
	python3 - "$1.json" <<-'END' | sort >found
		import json, sys
		run = json.load(open(sys.argv[1]))["runs"][0]
		for row in run["wait_sites"]:
		    print(row["state"], row["call"], row["other_call"] or "-",
		          row["count"], *(row[name + "_ns"] // 1000 for name in
		          ("total", "direct", "propagated", "unknown")), sep=", ")
	END
	diff wanted found || fail "$1"
}

# Without a core for 30 us of the computation, and as long in the call: but the call's work is
# 20 us.  Where a thread was off for longer than there is time, there is no more.
run_of core 2 <<END
0 call MPI_Comm_rank 3 10 20 - -1 0 0
0 call MPI_Recv 2 100 300 1 7 0 8
0 core MPI_Recv 2 100 300 - -1 0 30000
1 call MPI_Comm_rank 3 260 270 - -1 0 0
1 call MPI_Send 1 280 310 0 7 0 8
1 core MPI_Send 1 280 310 - -1 0 15000
END
finds core <<END
late sender, MPI_Recv, MPI_Send, 1, 180, 20, 0, 160
wait for a core, MPI_Recv, -, 1, 20, 0, 0, 0
wait for a core, MPI_Send, -, 1, 15, 0, 0, 0
END
python3 - <<'END' || fail "core: computation"
import json
run = json.load(open("core.json"))["runs"][0]
cores = {row["rank"]: (row["computation_ns"] // 1000, row["no_core_ns"] // 1000)
         for row in run["wait_cores"]}
assert cores == {0: (80, 30), 1: (10, 10)}, cores
END
"$bcs" export core.bcs | grep -q '^0,0,"core","MPI_Recv",.*,0,0,.*,30000,30000$' ||
	fail "core: CSV: $("$bcs" export core.bcs)"
"$bcs" export -f chrome core.bcs | python3 -c 'import json, sys
items = [item for event in json.load(sys.stdin)["traceEvents"]
         for item in event.get("args", {}).get("items", [])]
times = [(item["event"], item["core_before_ns"], item["core_within_ns"]) for item in items]
assert times == [("core", 30000, 30000), ("core", 15000, 15000)], items' ||
	fail "core: JSON"
"$bcs" export -f perfetto core.bcs | grep -qa "ns without a core in the call" ||
	fail "core: Perfetto"

# Slices begin at 50, 150, 250...  The message is there at 180: it waits for the slice at 250.
# Then slices work, and in the end there is no core.  What is over before waits for no slice,
# nor does a call that sends nothing.
solve_facts="mode fixed slice_ns 100000 slice_zero_ns 1000050000"
run_of slices 2 <<END
1 call MPI_Comm_rank 3 40 60 - -1 0 0
0 call MPI_Recv 2 100 420 1 7 0 8
0 core MPI_Recv 2 100 420 - -1 0 20000
1 call MPI_Send 1 180 185 0 7 0 8
END
solve_facts=
finds slices <<END
late sender, MPI_Recv, MPI_Send, 1, 80, 80, 0, 0
wait for a core, MPI_Recv, -, 1, 20, 0, 0, 0
wait for a slice, MPI_Recv, -, 1, 70, 0, 0, 0
wait in slices, MPI_Recv, -, 1, 150, 0, 0, 0
END

# Rank 0 waits for rank 1, which waits for rank 2 before.
run_of sender 3 <<END
0 call MPI_Recv 2 100 300 1 7 0 8
1 call MPI_Recv 2 50 210 2 7 0 8
1 call MPI_Send 1 250 310 0 7 0 8
2 call MPI_Comm_rank 3 10 11 - -1 0 0
2 call MPI_Send 1 200 205 1 7 0 8
END
finds sender <<END
late sender, MPI_Recv, MPI_Send, 2, 300, 200, 100, 0
END
python3 - <<'END' || fail "sender: causes"
import json
run = json.load(open("sender.json"))["runs"][0]
causes = {row["meanwhile"].replace("solve+", ""): row["time_ns"] // 1000
          for row in run["wait_causes"]}
assert sorted(causes.values()) == [10, 40, 100, 150], causes
assert [causes[text] for text in causes if text.startswith("waited in MPI_Recv")] == [100]
assert [causes[text] for text in causes if text.startswith("was in MPI_Recv")] == [10]
assert [causes[text] for text in causes
        if text.startswith("computed from MPI_Comm_rank") and "to MPI_Send" in text] == [150]
worst = run["wait_instances"]
assert [(row["rank"], row["other_rank"], row["time_ns"], row["since_ns"]) for row in worst] == [
    (1, 2, 150000, 40000), (0, 1, 150000, 90000)], worst
assert worst[1]["meanwhile"].startswith("waited in MPI_Recv"), worst
row = run["waits"][0]
assert row["average_ns"] == row["max_ns"] == row["p50_ns"] == row["p99_ns"] == 150000, row
END
"$bcs" report --section=waits --rank=1 --json sender.bcs >one.json
python3 -c 'import json
run = json.load(open("one.json"))["runs"][0]
assert [row["rank"] for row in run["wait_instances"]] == [1], run["wait_instances"]
assert [row["count"] for row in run["wait_calls"]] == [1, 1], run["wait_calls"]' || fail "one rank"

# A send that ends before the receive is posted did not wait.  A nonblocking one waits in
# MPI_Wait; one whose receive was posted by MPI_Irecv, only until that.
run_of receiver 2 <<END
0 call MPI_Send 1 0 500 1 7 0 8
1 call MPI_Recv 2 400 510 0 7 0 8
0 call MPI_Send 1 600 610 1 7 0 8
1 call MPI_Recv 2 700 710 0 7 0 8
0 call MPI_Isend 1 1000 1010 1 7 5 8
0 call MPI_Wait 2 1100 1400 - -1 0 0
0 done MPI_Wait 2 1100 1400 - -1 5 0
1 call MPI_Recv 2 1300 1410 0 7 0 8
0 call MPI_Ssend 1 1500 1700 1 7 0 8
1 call MPI_Irecv 2 1600 1610 0 7 6 0
1 call MPI_Wait 2 1690 1710 - -1 0 0
1 received MPI_Wait 2 1690 1710 0 7 6 8
0 call MPI_Bsend 1 1800 1900 1 7 0 8
1 call MPI_Recv 2 1850 1910 0 7 0 8
END
finds receiver <<END
late receiver, MPI_Send, MPI_Recv, 1, 400, 0, 0, 400
late receiver, MPI_Ssend, MPI_Irecv, 1, 100, 100, 0, 0
late receiver, MPI_Wait, MPI_Recv, 1, 200, 200, 0, 0
END

# Of several messages of a call the last one counts, and calls are not in wrong order
# to themselves.
run_of all 3 <<END
0 call MPI_Irecv 2 0 1 1 7 1 0
0 call MPI_Irecv 2 2 3 2 7 2 0
0 call MPI_Waitall 2 10 100 - -1 0 0
0 received MPI_Waitall 2 10 100 1 7 1 8
0 received MPI_Waitall 2 10 100 2 7 2 8
1 call MPI_Send 1 80 90 0 7 0 8
2 call MPI_Ssend 1 60 70 0 7 0 8
END
finds all <<END
late sender, MPI_Waitall, MPI_Send, 1, 70, 0, 0, 70
END

run_of order 3 <<END
0 call MPI_Recv 2 0 500 1 1 0 8
0 call MPI_Recv 2 510 520 1 2 0 8
1 call MPI_Send 1 100 110 0 2 0 8
1 call MPI_Send 1 490 500 0 1 0 8
0 call MPI_Recv 2 1000 1500 1 1 0 8
0 call MPI_Recv 2 1510 1520 2 1 0 8
2 call MPI_Send 1 1100 1110 0 1 0 8
1 call MPI_Send 1 1490 1500 0 1 0 8
0 call MPI_Recv 2 2400 2500 1 1 0 8
0 call MPI_Recv 2 2510 2610 1 1 0 8
0 call MPI_Recv 2 2620 2630 2 1 0 8
1 call MPI_Send 1 2490 2500 0 1 0 8
2 call MPI_Send 1 2550 2560 0 1 0 8
1 call MPI_Send 1 2600 2610 0 1 0 8
END
finds order <<END
late sender, MPI_Recv, MPI_Send, 1, 90, 90, 0, 0
wrong order, other sender, MPI_Recv, MPI_Send, 2, 580, 580, 0, 0
wrong order, same sender, MPI_Recv, MPI_Send, 1, 490, 390, 0, 100
END

run_of collective 3 <<END
0 call MPI_Barrier 3 0 60 - -1 0 0
1 call MPI_Barrier 3 10 62 - -1 0 0
2 call MPI_Barrier 3 50 65 - -1 0 0
0 call MPI_Allreduce 3 100 200 - -1 0 8
1 call MPI_Allreduce 3 150 210 - -1 0 8
2 call MPI_Allreduce 3 110 220 - -1 0 8
1 call MPI_Bcast 3 300 350 0 -1 0 8
0 call MPI_Bcast 3 330 340 0 -1 0 8
2 call MPI_Bcast 3 335 345 0 -1 0 8
0 call MPI_Reduce 3 400 490 0 -1 0 8
1 call MPI_Reduce 3 410 412 0 -1 0 8
2 call MPI_Reduce 3 450 455 0 -1 0 8
1 call MPI_Scan 3 500 560 - -1 0 8
2 call MPI_Scan 3 510 565 - -1 0 8
0 call MPI_Scan 3 530 540 - -1 0 8
0 call MPI_Scan 3 570 572 - -1 0 8
1 call MPI_Scan 3 575 580 - -1 0 8
2 call MPI_Scan 3 590 592 - -1 0 8
0 call MPI_Iallreduce 3 600 601 - -1 9 8
0 call MPI_Wait 2 610 700 - -1 0 0
0 done MPI_Wait 2 610 700 - -1 9 0
2 call MPI_Iallreduce 3 650 651 - -1 9 8
2 call MPI_Wait 2 651 690 - -1 0 0
2 done MPI_Wait 2 651 690 - -1 9 0
1 call MPI_Iallreduce 3 680 681 - -1 9 8
1 call MPI_Wait 2 690 700 - -1 0 0
1 done MPI_Wait 2 690 700 - -1 9 0
END
finds collective <<END
NxN completion, MPI_Allreduce, -, 2, 30, 0, 0, 0
barrier completion, MPI_Barrier, -, 2, 7, 0, 0, 0
early reduce, MPI_Reduce, MPI_Reduce, 1, 50, 50, 0, 0
early scan, MPI_Scan, MPI_Scan, 2, 50, 50, 0, 0
late broadcast, MPI_Bcast, MPI_Bcast, 1, 30, 30, 0, 0
wait at NxN, MPI_Allreduce, MPI_Allreduce, 2, 90, 90, 0, 0
wait at NxN, MPI_Wait, MPI_Iallreduce, 2, 99, 99, 0, 0
wait at barrier, MPI_Barrier, MPI_Barrier, 2, 90, 0, 0, 90
END

# While recording was off it is not known what a rank did.
run_of off 2 <<END
0 call MPI_Recv 2 100 300 1 7 0 8
1 call MPI_Comm_rank 3 10 20 - -1 0 0
1 off none 3 120 120 - -1 0 0
1 on none 3 200 200 - -1 0 0
1 call MPI_Send 1 250 310 0 7 0 8
END
finds off <<END
late sender, MPI_Recv, MPI_Send, 1, 150, 70, 0, 80
END

# The calls of some items are lost, and a request comes twice.
run_of lost 2 <<END
0 received MPI_Wait 2 0 0 1 7 1 8
0 on none 3 5 5 - -1 0 0
0 call MPI_Recv 2 100 300 1 7 0 8
1 done MPI_Wait 2 0 0 - -1 4 0
1 call MPI_Ibarrier 3 10 11 - -1 4 0
1 call MPI_Ibarrier 3 12 13 - -1 4 0
1 call MPI_Send 1 250 310 0 7 0 8
END
finds lost <<END
late sender, MPI_Recv, MPI_Send, 1, 150, 150, 0, 0
END

# Clocks of different hosts are not compared.
run_of apart 2 1 <<END
0 call MPI_Recv 2 0 300 1 7 0 8
1 call MPI_Recv 2 0 1 - -1 0 0
1 call MPI_Send 1 250 310 0 7 0 8
END
finds apart </dev/null
"$bcs" report --section=waits apart.bcs >apart.txt
grep -q '1 messages; clocks of different hosts are not compared' apart.txt ||
	fail "apart: $(cat apart.txt)"

# For people: who waited for whom, and why.
"$bcs" report --section=waits --width=80 sender.bcs >sender.txt
awk 'length > 80 && !/^      / { exit 1 }' sender.txt || fail "a long line"
grep -q '^late sender' sender.txt || grep -q '^  late sender  *2 ' sender.txt ||
	fail "sender: $(cat sender.txt)"
grep -q 'for MPI_Send at .*, whose rank meanwhile' sender.txt || fail "$(cat sender.txt)"
grep -q '33 % waited in MPI_Recv at ' sender.txt || fail "$(cat sender.txt)"

# Many rounds of many ranks, as another program writes them.
solve_record many.bcs
"$BCS_BUILD"/tests/cli/synth_trace many.bcs 40 500
"$bcs" report --section=waits --json many.bcs >many.json
python3 - <<'END' || fail "many.bcs"
import json
run = json.load(open("many.json"))["runs"][0]
sums = {row["state"]: (row["count"], row["total_ns"]) for row in run["waits"]}
# In a round rank 1 is 6 us late for 39 ranks; 20 ranks wait 15 us for a send.
assert sums["wait at NxN"] == (500 * 39, 500 * 39 * 6000), sums
assert sums["late sender"] == (500 * 20, 500 * 20 * 15000), sums
END

solve_record solve.42.bcs
fails 2 "solve.42.bcs: has no trace; record one with bcs run --trace" \
	"$bcs" report --section=waits solve.42.bcs
fails 2 "of these ranks" "$bcs" report --section=waits --rank=2 receiver.bcs
