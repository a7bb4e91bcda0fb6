#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: html.sh COMPILER SOURCE
# A page of `bcs html` has the numbers of `bcs report --json`, whatever the names
# in a record are, and replaces no file but a page.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

cc=$1
source=$2

# page PAGE [REPORT [RUN]]: it is as it should be.
page() {
	python3 "$BCS_SOURCE/tests/cli/html_check.py" "$@" || fail "page $*"
}

# has PAGE TEXT
has() {
	grep -qF -- "$2" "$1" || fail "$1: no '$2'"
}

solve_record solve.42.bcs
"$bcs" report --json solve.42.bcs >solve.json
"$bcs" html solve.42.bcs/ >stdout
has stdout 'solve.42.html: '
page solve.42.html solve.json
[ "$(wc -c <solve.42.html)" -lt 200000 ] || fail "200 KB and more"
[ "$(stat -c %a solve.42.html)" = 600 ] || fail "others may read it"
has solve.42.html '<dt>Ended</dt><dd>with MPI_Finalize</dd>'
has solve.42.html 'Computation is uneven: rank 1 computes 31.7 % longer'
has solve.42.html 'MPI_Recv at solve+0x1300 took 15.8 % of the ranks&#39; time'

# What is there already: a page is replaced, anything else stays.
cp solve.42.html first.html
"$bcs" html >/dev/null
cmp first.html solve.42.html || fail "the same record, another page"
echo mine, and longer than the mark that a page of ours begins with >solve.42.html
fails 2 "solve.42.html: is there, and is not a page of bcs html" \
	"$bcs" html solve.42.bcs
grep -q "^mine, and longer" solve.42.html || fail "it was overwritten"
ln -sf "$out/first.html" link.html
fails 2 "link.html: is there" "$bcs" html -o link.html solve.42.bcs
rm solve.42.html
"$bcs" html --output=- solve.42.bcs | cmp - first.html || fail "stdout is another"
"$bcs" html -o /dev/stdout solve.42.bcs | grep -qF '</html>' || fail "a device"
fails 2 "none/x.html: No such file" "$bcs" html -o none/x.html solve.42.bcs
fails 2 "standard output" sh -c '"$1" html -o - solve.42.bcs >/dev/full' - "$bcs"
[ "$(echo ./*html*)" = "./first.html ./link.html" ] || fail "left: $(echo ./*html*)"

# Records that cannot be read.
mkdir empty.bcs
fails 2 "none.bcs: No such file" "$bcs" html none.bcs
fails 2 "empty.bcs: has no record file" "$bcs" html empty.bcs
fails 2 "not packed by gzip" "$bcs" html "$BCS_SOURCE/meson.build"
fails 2 "empty.bcs: has no record file" "$bcs" html solve.42.bcs : empty.bcs
fails 2 "one ':'" "$bcs" html solve.42.bcs :
fails 2 "--top=x" "$bcs" html --top=x solve.42.bcs
[ ! -e solve.42.html ] || fail "a page of what cannot be read"
cp -r solve.42.bcs cut.bcs
head -c 600 solve.42.bcs/rank-000001.gz >cut.bcs/rank-000001.gz
fails 0 "rank-000001.gz" "$bcs" html -o cut.html cut.bcs
has cut.html 'The record of rank 1 is cut off or damaged'
page cut.html

# Two runs, and what changed.
solve_rank 1 4000000000 6000000000 >cut.bcs/rank-000001.gz
"$bcs" html -o two.html solve.42.bcs : cut.bcs
"$bcs" report --json cut.bcs >cut.json
page two.html solve.json 0
page two.html cut.json 1
has two.html 'id="changes-sites"'
has two.html '<p class="label">A: solve.42.bcs</p>'
has two.html '<p class="label">B: cut.bcs</p>'
"$bcs" html -o list.html solve.42.bcs cut.bcs
! grep -q 'id="changes' list.html || fail "changes that nobody asked for"
page list.html cut.json 1

# Slices, from the same record.
"$BCS_BUILD"/tests/cli/synth_slices fixed slices.bcs
cp slices.bcs/*.slices solve.42.bcs
"$bcs" html -o slices.html solve.42.bcs
page slices.html solve.json
python3 - "$bcs" <<'END' || fail "slices of the chart are not those on record"
import base64, csv, gzip, io, json, subprocess, sys
text = open("slices.html", encoding="utf-8").read()
packed = text.split('id="data">')[1].split("<")[0]
run = json.loads(gzip.decompress(base64.b64decode(packed)))["runs"][0]
rows = subprocess.run([sys.argv[1], "slices", "--csv", "solve.42.bcs"],
                      check=True, stdout=subprocess.PIPE).stdout.decode()
rows = list(csv.DictReader(io.StringIO(rows)))
for part in "dem", "msm", "p2p", "bbm", "rm":
    wanted = sum(int(row["lt%s_ns" % part]) for row in rows)
    assert round(sum(bin[part + "_ns"] for bin in run["bins"])) == wanted, part
assert len(run["bins"]) > 10 and run["slices"]["processes"] == 2
END

# The calls of a trace, with both ends of each message and what they waited for.
"$BCS_BUILD"/tests/cli/synth_trace solve.42.bcs 3 20
"$bcs" export -o trace.csv solve.42.bcs
"$bcs" html -o trace.html solve.42.bcs
page trace.html solve.json
has trace.html '<p>283 calls of 3 threads and 80 messages between them.</p>'
has trace.html 'rank 1 .....w....w...w....w'
python3 - <<'END' || fail "the timeline is not what was traced"
import base64, csv, gzip, json
text = open("trace.html", encoding="utf-8").read()
def packed(name):
    return gzip.decompress(base64.b64decode(text.split('id="%s">' % name)[1].split("<")[0]))
head = json.loads(packed("data"))["runs"][0]["timeline"]
numbers = iter(packed("trace-0"))
def number():
    value = shift = 0
    for byte in numbers:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value
def signed():
    value = number()
    return -(value + 1) // 2 if value % 2 else value // 2
def column(n, take=number):
    return [take() for _ in range(n)]
keys = "call site comm phase peer tag sent received state".split()
shapes = list(zip(*[column(head["shapes"]) for _ in keys]))
calls = sum(n for _, n in head["lanes"])
gaps, times, waits, of = column(calls, signed), column(calls), column(calls), column(calls)
events, at = [], 0
for rank, (name, n) in enumerate(head["lanes"]):
    assert name == "rank %d" % rank, name
    now = 0
    for i in range(at, at + n):
        shape = dict(zip(keys, shapes[of[i]]))
        begin, now = now + gaps[i], now + gaps[i] + times[i]
        said = [head["texts"][shape[key]] for key in ("call", "phase", "site")]
        events.append((rank, begin, times[i], waits[i], *said, shape))
    at += n
rows = [row for row in csv.DictReader(open("trace.csv")) if row["event"] == "call"]
assert len(rows) == len(events) == 283
for row, event in zip(rows, events):
    wanted = [row[key] for key in ("rank", "begin_ns", "time_ns", "call", "phase", "site")]
    assert wanted == [str(event[i]) for i in (0, 1, 2, 4, 5, 6)], (row, event)
    assert (row["peer"] or "-1") == str(event[7]["peer"] - 2), (row, event)
    assert int(row["sent_bytes"]) == event[7]["sent"], (row, event)
for rank, begin, _, wait, call, *_ in events:
    begin %= 100000
    late = {"MPI_Recv": 15000, "MPI_Allreduce": 6000 if rank != 1 else 0}.get(call, 0)
    assert wait == late, (rank, begin, call, wait)
n = head["messages"]
origin, place, met = 0, [], set()
for step in column(n, signed):
    origin += step
    place.append(origin)
for i, (begin, step, tag, size) in enumerate(zip(place, column(n, signed),
                                                 column(n, signed), column(n))):
    a, b = events[begin], events[begin + step]
    assert (a[4], b[4], tag, size) in (("MPI_Isend", "MPI_Waitall", 7, 8),
                                       ("MPI_Send", "MPI_Recv", 3, 64)), (a, b)
    assert a[1] // 100000 == b[1] // 100000 and b[0] == (a[0] + 1) % 3, (a, b)
    met.add((begin, begin + step))
assert len(met) == 80 and next(numbers, None) is None
END
"$bcs" html --events=30 -o few.html solve.42.bcs
page few.html solve.json
has few.html 'The trace goes on; --events has more of it.'
"$bcs" html --events=0 -o none.html solve.42.bcs
! grep -q 'id="timeline"' none.html || fail "a timeline that nobody wants"
echo no >solve.42.bcs/rank-000001.trace
fails 0 "rank-000001.trace" "$bcs" html -o bad.html solve.42.bcs
page bad.html solve.json

# Many ranks are put together, and 10000 call sites are folded.
"$BCS_BUILD"/tests/cli/synth_record many.bcs 300 40
"$bcs" report --json many.bcs >many.json
"$bcs" html many.bcs >/dev/null
page many.html many.json
has many.html 'show all 300 rows'
"$BCS_BUILD"/tests/cli/synth_record sites.bcs 2 10000
"$bcs" report --json sites.bcs >sites.json
"$bcs" html sites.bcs >/dev/null
page sites.html sites.json
has sites.html 'show all '
"$bcs" html --top=5 -o top.html sites.bcs
page top.html
has top.html 'more rows are left out (--top=0 has all)'

# Names that try to be more than names.
bad='<script>alert(1)</script>"%20'"'"'&lt;<img%20src=x%20onerror=y>%1b%e2%80%ae%ff'
mkdir bad.1.bcs
for rank in 0 1; do
	{
		begin $rank 2 program "prog$bad" arguments "./prog$bad" \
			host "host$bad" mode "mode$bad" reason "reason$bad" \
			mpi "mpi$bad" thread_level "level$bad" clock "clock$bad"
		echo "note$bad" | table notes text
		echo "0 9000000 900000 300 300 0 20" | table threads "$threads"
		echo "0 0 Call$bad 1 1 100 500000 500 9000 0 8192 0 8192 8192" |
			table cells "$cells"
		echo "time 0 480 511 100" | table histogram "$histogram"
		printf '0 %% 0 1\n1 phase%s 10 6000000\n' "$bad" |
			table phases "phase name count time_ns"
		echo "1 0 0 1234" | table paths "path level module offset_hex"
		echo "0 /opt/a$bad %" | table modules "module file build_id"
		echo "0 44000000 comm$bad 2 $rank 1 1 900 8192 800" |
			table communicators "$communicators"
		echo "0 $((1 - rank)) 10 80 10 80 9000" | table peers "$peers"
		echo "0 Call$bad 1 2000 send$bad 1 7 comm$bad" | table now "$now"
		end
	} >bad.1.bcs/rank-00000$rank.gz
done
"$bcs" html -o bad.html bad.1.bcs
page bad.html
escaped='&lt;script&gt;alert(1)&lt;/script&gt;&quot; &#39;&amp;lt;&lt;img src=x onerror=y&gt;\x1b\u202e\xff'
for name in prog host mode reason mpi level clock note Call phase comm; do
	has bad.html "$name$escaped"
done
has bad.html "img src=x onerror=y&gt;\\x1b\\u202e\\xff+0x1234"
"$bcs" html -o both.html bad.1.bcs : bad.1.bcs
page both.html

# Lines of the source, unless it changed since the program was built.
cp "$source" where.c
$cc -D_GNU_SOURCE -O2 -g -fno-optimize-sibling-calls -o where "$out/where.c"
mkdir where.1.bcs
{
	begin 0 1
	echo "0 1000 1000 0 0 0 1" | table threads "$threads"
	echo "1 0 MPI_Recv 0 2 1 300 300 300 0 0 0 0 0" | table cells "$cells"
	./where | table paths "path level module offset_hex"
	id=$(readelf -n where | sed -n 's/.*Build ID: //p')
	echo "0 $out/where ${id:-%}" | table modules "module file build_id"
	end
} >where.1.bcs/rank-000000.gz
touch -d 2020-01-01 where.c
"$bcs" html -o where.html where.1.bcs
has where.html '<pre>call(path + 1); /* outer */</pre>'
"$bcs" html --no-source -o where.html where.1.bcs
! grep -qF 'outer */' where.html || fail "source that nobody wants"
touch -d 2099-01-01 where.c
"$bcs" html -o where.html where.1.bcs
! grep -qF 'outer */' where.html || fail "source that is newer than the program"
has where.html '1 source file is newer than the program: the lines are left out.'
# A file that is no source of anybody: a link to one is not followed.
mv where.c private
ln -s private where.c
touch -h -d 2020-01-01 where.c
touch -d 2020-01-01 private
"$bcs" html -o where.html where.1.bcs
! grep -qF 'outer */' where.html || fail "a link was followed"
