#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: export.sh
# What `bcs export` makes of a trace, of names that are no names, and of what is not
# there.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

# binary NAME FORMAT: a section whose bytes printf makes.
binary() {
	# shellcheck disable=SC2059
	printf "$2" >body
	{
		printf 'section %s 1 %s\n' "$1" "$(wc -c <body)"
		cat body
	} | gzip -n
}

# trace RANK HOST NS CALL PHASE LOST: one call at 1012 ns + NS, with what it received.
trace() {
	echo "format 1" | table record "key value"
	cat <<-END | table trace_of "key value"
		rank $1
		pid 42
		host $2
		shift 0
		ticks 0
		ns $3
		hz 1000000000
	END
	printf 'call 7 %s\ncommunicator 0 feed/1/2\nphase 1 %s\n' "$4" "$5" |
		table names "what number text"
	binary shapes_anew '\000\007\001\001\003\001\003\007\000\001\002\000'
	binary events "0 2 $6\n"'\001\000\001\000\004\000\000\001\000\020\000\000\001\350\017\001\144'
}

# end_trace LOST
end_trace() {
	printf 'events 2\nlost %s\nticks 0\nns 0\nhz 1000000000\n' "$1" |
		table end "key value"
}

mkdir good.bcs hostile.bcs
{ trace 0 one 5000 MPI_Waitall solve 0 && end_trace 0; } >good.bcs/rank-000000.trace
{ trace 1 one 5000 MPI_Waitall solve 0 && end_trace 0; } >good.bcs/rank-000001.trace
{ trace 2 two 9000 MPI_Waitall solve 0 && end_trace 0; } >good.bcs/rank-000002.trace
head='"rank","thread","event","call","begin_ns","time_ns","peer","tag","sent_bytes",'
head=$head'"received_bytes","communicator","request","phase","site","lost",'
head=$head'"core_before_ns","core_within_ns"'

# rows RANK...: what is in the CSV of these.
rows() {
	echo "$head"
	for rank; do
		cat <<-END
			$rank,0,"call","MPI_Waitall",0,100,"any",2,0,0,"feed",,"solve",,,,
			$rank,0,"received","MPI_Waitall",0,100,1,2,0,8,"feed",,"solve",,,,
		END
	done
}

"$bcs" export good.bcs >good.csv 2>stderr || fail "status $?"
[ ! -s stderr ] || fail "good.bcs: $(cat stderr)"
rows 0 1 2 | diff - good.csv
"$bcs" export --format=csv --rank=1-2 -o some.csv good.bcs
rows 1 2 | diff - some.csv
"$bcs" export good.bcs/rank-000002.trace | diff some.csv - | grep -q '^[<>] 2' &&
	fail "a single file has other rows"
(mkdir newest && cp -r good.bcs newest && cd newest && "$bcs" export) | diff good.csv -

# Names are anything, and what was lost is told.
call='MPI_%22%5c%0a%1b%ff%3c'
{ trace 0 'a%22b%09' 5000 "$call" '%22,%0a' 5 && end_trace 7; } \
	>hostile.bcs/rank-000000.trace
fails 0 "rank-000000.trace: 7 events were lost" "$bcs" export hostile.bcs
[ "$(wc -l <stdout)" -eq 4 ] || fail "$(wc -l <stdout) lines, not 4"
grep -qxF '0,,"lost",,,,,,,,,,,,7,,' stdout || fail "CSV does not tell what was lost"
grep -qF '"MPI_""\\x0a\x1b\xff<"' stdout || fail "CSV: $(cat stdout)"
"$bcs" export -f chrome hostile.bcs >hostile.json 2>/dev/null
python3 - hostile.json <<-'END'
	import json, sys
	trace = json.load(open(sys.argv[1]))
	assert trace["otherData"] == {"lost_events": 7}, trace
	events = trace["traceEvents"]
	assert [e["args"] for e in events if e["ph"] == "M"] == [
	    {"name": 'rank 0 on a"b\t'}, {"sort_index": 0}, {"labels": "7 events lost"}]
	call = [e for e in events if e["ph"] == "X"]
	assert call == [{"ph": "X", "pid": 0, "tid": 0, "name": 'MPI_"\\\n\x1b\ufffd<',
	    "ts": 0, "dur": 0.1, "args": {"peer": "any", "tag": 2, "communicator": "feed",
	    "phase": '",\n', "items": [{"event": "received", "peer": 1, "tag": 2,
	    "received_bytes": 8, "communicator": "feed"}]}}], call
END

# Perfetto's own format: tracks of a node, its ranks and their threads; calls that end,
# messages that begin and end once.
solve_record calls.bcs
"$BCS_BUILD"/tests/cli/synth_trace calls.bcs 3 20
"$BCS_BUILD"/tests/cli/synth_slices fixed slices.bcs
cp slices.bcs/rank-000001.slices calls.bcs
"$bcs" export --format=perfetto -o calls.pftrace calls.bcs
"$bcs" export calls.bcs >calls.csv
python3 - <<'END' || fail "calls.pftrace is not calls.csv"
import collections, csv
def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        shift, at = shift + 7, at + 1
        if byte < 128:
            return value, at
def message(data):
    at, fields = 0, collections.defaultdict(list)
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = (8, at) if key & 7 == 1 else varint(data, at)
            assert key & 7 in (1, 2) and at + size <= len(data), key
            value, at = data[at:at + size], at + size
        fields[key >> 3].append(value)
    return fields
packets = [message(p) for p in message(open("calls.pftrace", "rb").read())[1]]
tracks, path = {}, {}
names, keys, texts = {}, {}, {}
calls, open_, ends = [], collections.defaultdict(list), {47: [], 48: []}
flight = collections.defaultdict(list)
for p in packets:
    sequence = p[10][0]
    for track in map(message, p.get(60, [])):
        number, parent = track[1][0], track.get(5, [0])[0]
        assert number not in tracks
        tracks[number] = track[2][0].decode()
        path[number] = path.get(parent, "") + "/" + tracks[number]
    for interned in map(message, p.get(12, [])):
        for field, known in (2, names), (3, keys), (29, texts):
            for entry in map(message, interned.get(field, [])):
                assert (sequence, entry[1][0]) not in known
                known[sequence, entry[1][0]] = entry[2][0].decode()
    for event in map(message, p.get(11, [])):
        where, time = event[11][0], p[8][0]
        name = event.get(23, [b""])[0].decode() or names.get((sequence, event.get(10, [0])[0]))
        for field in ends:
            ends[field] += event.get(field, [])
        if event[9] == [1]:
            facts = {}
            for fact in map(message, event.get(4, [])):
                value = fact.get(3) or fact.get(4) or [texts[sequence, fact[17][0]]]
                facts[keys[sequence, fact[1][0]]] = value[0]
            open_[where].append((path[where], name, time, facts))
        elif event[9] == [4]:
            flight[path[where]].append((time, event[30][0]))
        else:
            begun = open_[where].pop()
            if begun[0].endswith("thread 0"):
                calls.append((*begun[:3], time - begun[2], begun[3]))
            else:
                assert begun[1] in ("slice", "slices", "DEM", "MSM", "GET", "P2P", "BBM", "RM"), begun
assert not any(open_.values())
assert sorted(path.values()) == ["/node1"] + sorted(
    "/node1/rank %d%s" % (rank, below) for rank in range(3)
    for below in ("", "/thread 0", "/bytes in flight", "/slices")[:4 if rank == 1 else 3]), path
rows = [row for row in csv.DictReader(open("calls.csv")) if row["event"] == "call"]
assert len(calls) == len(rows) == 283
for row, (where, name, begin, took, facts) in zip(rows, calls):
    assert where == "/node1/rank %s/thread 0" % row["rank"]
    assert (name, str(begin), str(took)) == (row["call"], row["begin_ns"], row["time_ns"])
    assert str(facts.get("peer", "")) == row["peer"], (row, facts)
    assert str(facts.get("tag", "")) == row["tag"], (row, facts)
    assert facts.get("sent bytes", 0) == int(row["sent_bytes"]), (row, facts)
    assert facts.get("place", "") == row["site"], (row, facts)
    assert facts.get("phase", "") == row["phase"], (row, facts)
assert len(set(ends[47])) == 80 and sorted(ends[47]) == sorted(ends[48])
for rank in range(3):
    wanted = []
    for row in rows:
        if row["rank"] == str(rank) and row["call"] in ("MPI_Isend", "MPI_Send"):
            begin = int(row["begin_ns"])
            wanted += [(begin, int(row["sent_bytes"])), (begin + int(row["time_ns"]), 0)]
    assert flight["/node1/rank %d/bytes in flight" % rank] == wanted, (rank, flight)
END
"$bcs" export -f perfetto hostile.bcs 2>/dev/null | grep -qaF 'MPI_"\\x0a\x1b\xff<' ||
	fail "a name that is no text"

# A send is in flight until its request is done, also past other sends; of one moment only
# the last value is there.
solve_record flight.bcs
"$BCS_BUILD"/tests/cli/synth_events flight.bcs 1 <<-'END'
	0 call MPI_Isend 1 10 11 0 7 1 100
	0 call MPI_Isend 1 20 21 0 7 2 1000
	0 call MPI_Send 1 30 40 0 7 0 5
	0 call MPI_Wait 1 50 60 - 0 0 0
	0 done MPI_Wait 1 50 60 - 0 1 0
	0 call MPI_Wait 1 65 70 - 0 0 0
	0 done MPI_Wait 1 65 70 - 0 2 0
	0 call MPI_Send 1 70 80 0 7 0 6
END
"$bcs" export --format=perfetto flight.bcs >flight.pftrace
python3 - <<'END' || fail "bytes in flight"
import re
# Of a counter's packet: the time (field 8) and, after type and track, the value (30).
data, found = open("flight.pftrace", "rb").read(), []
def varint(at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at
for match in re.finditer(rb"\x40([\x80-\xff]*[\x00-\x7f])\x68\x02\x5a.\x48\x04\x58[\x80-\xff]*[\x00-\x7f]\xf0\x01",
                         data, re.S):
    found.append((varint(match.start() + 1)[0], varint(match.end())[0]))
wanted = [(0, 100), (10, 1100), (20, 1105), (30, 1100), (50, 1000), (60, 6), (70, 0)]
assert found == [(1000 * time, value) for time, value in wanted], found
END

# Time by call path, of all ranks together.
"$bcs" export -f folded calls.bcs | sort >folded.txt
cat >wanted.txt <<-'END'
	solve+0x2000;solve+0x1234;libmpich.so.12+0x1a2b;MPI_Init 150000
	solve+0x2000;solve+0x1234;libmpich.so.12+0x1a2b;MPI_Isend 24000
	solve+0x2000;solve+0x1234;libmpich.so.12+0x1a2b;MPI_Send 10000
	solve+0x2000;solve+0x1300;MPI_Irecv 12000
	solve+0x2000;solve+0x1300;MPI_Recv 320000
	solve+0x2000;solve+0x1300;MPI_Waitall 1100000
	solve+0x1400;MPI_Allreduce 540000
END
sort wanted.txt | diff - folded.txt || fail "folded paths"

# Rings of the last eight of twenty rounds: the same events and messages, but for times
# since the first.
mkdir ring.bcs
cp calls.bcs/*.gz ring.bcs
"$BCS_BUILD"/tests/cli/synth_trace ring.bcs 3 20 6
events() {
	awk -F , -v OFS=, '{ $5 = ""; print }'
}
"$bcs" export ring.bcs 2>stderr >lost.csv
grep -v ',"lost",,' lost.csv >ring.csv
grep -c 'rank-00000[0-2].trace2*: a ring of the last events; [0-9]* before them were dropped' \
	stderr | grep -qx 3 || fail "dropped events: $(cat stderr)"
dropped=$(sed -n 's/.*events; \([0-9]*\) before.*/\1/p' stderr | awk '{ n += $1 } END { print n }')
kept=$(wc -l <ring.csv)
[ $((kept + dropped)) -eq "$(wc -l <calls.csv)" ] || fail "$kept rows kept, $dropped dropped"
for rank in 0 1 2; do
	grep "^$rank," ring.csv | events >kept.csv
	grep "^$rank," calls.csv | tail -n "$(wc -l <kept.csv)" | events | diff - kept.csv ||
		fail "ring of rank $rank"
done
"$bcs" export -f chrome ring.bcs 2>stderr |
	python3 -c "import json, sys
assert json.load(sys.stdin)['otherData'] == {'lost_events': $dropped}" || fail "JSON of a ring"
fails 2 "this ring has dropped its beginning" "$bcs" advise ring.bcs
fails 2 "this ring has dropped its beginning" "$bcs" model simulate --loggp=1,1,1 --trace ring.bcs

# On a terminal, a long export tells how far it is.
"$BCS_BUILD"/tests/cli/synth_trace long.bcs 1 20000
python3 - "$bcs" <<'END' || fail "progress"
import os, pty, subprocess, sys
terminal, stderr = pty.openpty()
os.set_blocking(terminal, False)
for verb in ["export", "long.bcs"], ["export", "-o", "long.csv", "long.bcs"]:
    subprocess.run([sys.argv[1], *verb], stdout=subprocess.DEVNULL, stderr=stderr, check=True)
    said = os.read(terminal, 4096)
    assert b"exporting trace 1 of 1: " in said and said.endswith(b"\r\x1b[K"), said
END

# What was cut off is there as far as it goes.
mkdir cut.bcs
trace 0 one 5000 MPI_Waitall solve 0 >cut.bcs/rank-000000.trace
fails 0 "rank-000000.trace" "$bcs" export cut.bcs
rows 0 | diff - stdout
cp good.bcs/rank-000001.trace cut.bcs
echo no >cut.bcs/rank-000002.trace
"$bcs" export cut.bcs 2>stderr | grep -c '"call","MPI_Waitall"' | grep -qx 2 ||
	fail "a bad file hid the others"
grep -q 'rank-000002.trace.*left out' stderr || fail "bad file: $(cat stderr)"

solve_record solve.42.bcs
mkdir bad.bcs
echo no >bad.bcs/rank-000000.trace
fails 2 "none.bcs: No such file" "$bcs" export none.bcs
fails 2 "solve.42.bcs: has no trace; record one with bcs run --trace" \
	"$bcs" export solve.42.bcs
fails 2 "bad.bcs/rank-000000.trace: not a trace" "$bcs" export bad.bcs
fails 2 "of these ranks" "$bcs" export --rank=7 good.bcs
fails 2 "--format=xml is not taken; it can be csv, chrome, perfetto, otf2, paraver or folded" \
	"$bcs" export --format=xml good.bcs
fails 2 "--rank=x" "$bcs" export --rank=x good.bcs
fails 2 "one record" "$bcs" export good.bcs cut.bcs
fails 2 "cannot write to no/such.csv" "$bcs" export -o no/such.csv good.bcs
fails 2 "cannot write to /dev/full" "$bcs" export -o /dev/full good.bcs
fails 2 "cannot write to standard output" sh -c '"$1" export good.bcs >/dev/full' - "$bcs"
mkdir empty
cd empty
fails 2 "which record" "$bcs" export
