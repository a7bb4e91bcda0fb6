#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: windows.sh
# Efficiencies over time are what one computes from the CSV of the trace.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

solve_record calls.bcs
fails 2 "bcs run --trace" "$bcs" report --section=windows calls.bcs
"$BCS_BUILD"/tests/cli/synth_trace calls.bcs 3 20
"$bcs" export calls.bcs >calls.csv
"$bcs" report --json --section=windows calls.bcs >windows.json
"$bcs" report --section=windows calls.bcs >windows.txt
[ "$(wc -l <windows.txt)" -ge 13 ] || fail "a short table: $(cat windows.txt)"

python3 - <<'END' || fail "not what the trace has"
import collections, csv, json

ranks = collections.defaultdict(list)
for row in csv.DictReader(open("calls.csv")):
    if row["event"] == "call":
        begin = int(row["begin_ns"])
        ranks[int(row["rank"])].append(
            (begin, begin + int(row["time_ns"]), row["call"]))
first = min(calls[0][1] if calls[0][2].startswith("MPI_Init") else calls[0][0]
            for calls in ranks.values())
last = max(calls[-1][0] if calls[-1][2] == "MPI_Finalize" else calls[-1][1]
           for calls in ranks.values())
windows = json.load(open("windows.json"))["runs"][0]["windows"]
assert len(windows) == 10 and windows[0]["from_ns"] == first
assert windows[-1]["to_ns"] == last
assert [w["to_ns"] for w in windows[:-1]] == [w["from_ns"] for w in windows[1:]]

def within(window, begin, end):
    return max(0, min(end, window["to_ns"]) - max(begin, window["from_ns"]))

for window in windows:
    length = window["to_ns"] - window["from_ns"]
    in_mpi, computed = collections.Counter(), {}
    for rank, calls in ranks.items():
        for begin, end, call in calls:
            in_mpi[call] += within(window, begin, end)
        computed[rank] = within(window, calls[0][0], calls[-1][1]) - sum(
            within(window, begin, end) for begin, end, _ in calls)
    total, most = sum(computed.values()), max(computed.values())
    assert window["computation_ns"] == total, (window, total)
    assert window["most_computation_ns"] == most
    assert computed[window["most_rank"]] == most
    assert abs(window["parallel_percent"] - 100 * total / 3 / length) < 0.01
    assert abs(window["communication_percent"] - 100 * most / length) < 0.01
    assert abs(window["balance_percent"] - 100 * total / 3 / most) < 0.01
    assert in_mpi[window["call"]] == max(in_mpi.values())
    share = 100 * max(in_mpi.values()) / 3 / length
    assert abs(window["call_percent"] - share) < 0.01, (window, share)
END
