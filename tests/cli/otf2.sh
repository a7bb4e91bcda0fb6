#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: otf2.sh BUILT
# What `bcs export --format=otf2` makes of a trace, read by OTF2's own Python module.  BUILT is
# `no` if bcs was built without libotf2.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

solve_record calls.bcs
"$BCS_BUILD"/tests/cli/synth_trace calls.bcs 3 20
if [ "$1" = no ]; then
	fails 2 "built without libotf2" "$bcs" export -f otf2 -o calls.otf2 calls.bcs
	[ ! -e calls.otf2 ] || fail "a folder of nothing"
	exit 0
fi

fails 2 "name it with --output" "$bcs" export -f otf2 calls.bcs
mkdir there
fails 2 "there: is there already" "$bcs" export -f otf2 -o there calls.bcs
fails 2 "libotf2: " "$bcs" export -f otf2 -o calls.bcs/rank-000000.gz/otf2 calls.bcs
"$bcs" export --format=otf2 --output=calls.otf2 calls.bcs >stdout
[ ! -s stdout ] || fail "stdout: $(cat stdout)"
"$bcs" export calls.bcs >calls.csv

# Debian's Python has the module, whatever python3 is.
python=/usr/bin/python3
"$python" -c 'import otf2' 2>/dev/null || {
	echo "skipped: there is no python3-otf2" >&2
	exit 77
}
"$python" - <<'END' || fail "calls.otf2 is not calls.csv"
import collections, csv, otf2
sent, got, calls = collections.Counter(), collections.Counter(), []
stacks, requests, last = collections.defaultdict(list), set(), {}
colls = collections.Counter()
with otf2.reader.open("calls.otf2/traces.otf2") as trace:
    assert trace.timer_resolution == 1000000000
    world = [c for c in trace.definitions.comms if c.name == "MPI_COMM_WORLD"]
    assert len(world) == 1 and len(trace.definitions.comms) == 1
    members = world[0].group.members
    assert [m.group.name for m in members] == ["rank 0", "rank 1", "rank 2"]
    for where, event in trace.events:
        kind, me = type(event).__name__, where.group.name
        stack = stacks[me]
        assert event.time >= last.get(me, 0)
        last[me] = event.time
        if kind == "Enter":
            place = [v for a, v in event.attributes.items() if a.name == "place"]
            stack.append((event.region.name, event.time, place))
        elif kind == "Leave":
            name, begin, place = stack.pop()
            assert name == event.region.name, (name, event)
            calls.append((me, begin, event.time - begin, name, place))
        elif kind in ("MpiSend", "MpiIsend"):
            sent[me, members[event.receiver].group.name, event.msg_tag, event.msg_length] += 1
        elif kind in ("MpiRecv", "MpiIrecv"):
            got[members[event.sender].group.name, me, event.msg_tag, event.msg_length] += 1
            if kind == "MpiIrecv":
                requests.remove((me, event.request_id))
        elif kind == "MpiIrecvRequest":
            assert stack[-1][0] == "MPI_Irecv"
            requests.add((me, event.request_id))
        elif kind == "MpiCollectiveEnd":
            colls[str(event.collective_op), event.communicator.name,
                  event.size_sent, event.size_received] += 1
        else:
            assert kind == "MpiCollectiveBegin", kind
assert not any(stacks.values()) and not requests
assert sum(sent.values()) == 80 and sent == got, (sent, got)
assert colls == {("CollectiveOp.ALLREDUCE", "MPI_COMM_WORLD", 8, 8): 60}, colls
rows = [row for row in csv.DictReader(open("calls.csv")) if row["event"] == "call"]
wanted = [("rank " + row["rank"], int(row["begin_ns"]), int(row["time_ns"]), row["call"],
           [row["site"]] if row["site"] else []) for row in rows]
assert sorted(calls) == sorted(wanted)
END
