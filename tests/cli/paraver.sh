#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: paraver.sh
# The three files of `bcs export --format=paraver` hold what the CSV of the trace does, in
# the order and the numbers that Paraver wants.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

solve_record calls.bcs
"$BCS_BUILD"/tests/cli/synth_trace calls.bcs 3 20
fails 2 "three files: name them with --output" "$bcs" export -f paraver calls.bcs
fails 2 "cannot write to /nosuch/a.pcf: No such file" \
	"$bcs" export -f paraver -o /nosuch/a.prv calls.bcs
fails 2 "none.bcs: No such file" "$bcs" export -f paraver -o none none.bcs
[ ! -e none.prv ] || fail "a trace of nothing"
"$bcs" export --format=paraver --output=calls.prv calls.bcs >stdout
[ ! -s stdout ] || fail "stdout: $(cat stdout)"
"$bcs" export calls.bcs >calls.csv

python3 - <<'END' || fail "calls.prv is not calls.csv"
import collections, csv, re

# Sections of lines "number text", and of each type of events its values.
names, values, section = {}, {}, None
for line in open("calls.pcf").read().splitlines():
    if line in ("STATES", "STATES_COLOR", "EVENT_TYPE", "VALUES"):
        section = line
    elif not line:
        section = None
    elif section == "EVENT_TYPE":
        _, number, _ = line.split("\t")
        values[int(number)] = now = {}
    elif section == "VALUES":
        number, text = line.split("\t")
        assert int(number) not in now, line
        now[int(number)] = text
    elif section == "STATES":
        number, text = line.split("\t")
        names[int(number)] = text
assert open("calls.row").read().splitlines() == [
    "LEVEL THREAD SIZE 3", "rank 0", "rank 1", "rank 2"]

lines = open("calls.prv").read().splitlines()
head = re.fullmatch(r"#Paraver \(\d\d/\d\d/\d{4} at \d\d:\d\d\):(\d+)_ns:"
                    r"1\(3\):1:3\(1:1,1:1,1:1\)", lines[0])
assert head, lines[0]
last = 0
until, calls, under_way = {}, [], {}
messages = collections.Counter()
for line in lines[1:]:
    kind, *f = [int(x) for x in line.split(":")]
    cpu, job, task, thread, time = f[:5]
    assert cpu == task and job == 1 and thread == 1
    assert last <= time <= int(head[1]), line
    last = time
    if kind == 1:
        # The states of a thread follow one another without a gap.
        assert until.get(task, 0) == time and f[6] in names, line
        assert time < f[5] <= int(head[1]), line
        until[task] = f[5]
    elif kind == 2:
        pairs = dict(zip(f[5::2], f[6::2]))
        [call] = [t for t in pairs if 50000001 <= t <= 50000005]
        if pairs[call]:
            assert task not in under_way
            site = values[70000001][pairs[70000001]]
            under_way[task] = (call, time, values[call][pairs[call]], site)
        else:
            of, begin, name, site = under_way.pop(task)
            assert of == call and pairs[70000001] == 0
            calls.append((task - 1, begin, time - begin, name, site))
    else:
        assert kind == 3
        send, to, receive, bytes, tag = f[5], f[8], f[11], f[12], f[13]
        assert time == send and f[6] == to and f[10] <= receive, line
        messages[task - 1, to - 1, tag, bytes] += 1
assert not under_way
rows = list(csv.DictReader(open("calls.csv")))
wanted = [(int(row["rank"]), int(row["begin_ns"]), int(row["time_ns"]), row["call"],
           row["site"] or "Outside MPI") for row in rows if row["event"] == "call"]
assert sorted(calls) == sorted(wanted)
sent = collections.Counter(
    (int(row["rank"]), int(row["peer"]), int(row["tag"]), int(row["sent_bytes"]))
    for row in rows if row["peer"] and int(row["sent_bytes"]) > 0)
assert messages == sent and sum(sent.values()) == 80, (messages, sent)
END
