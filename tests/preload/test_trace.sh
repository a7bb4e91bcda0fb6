#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_trace.sh ENDINGS KNOWN...
# The trace of programs whose calls are known has each of these calls once, as CSV and
# as JSON, and no others.  Of a process that is killed the calls before are there.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
endings=$1
shift
export BCS_TRACE=on

# csv FILE: "rank call count sent" of its calls.
csv() {
	awk -F , '
	$3 == "\"call\"" {
		gsub(/"/, "", $4)
		count[$1 " " $4]++
		sent[$1 " " $4] += $9
	}
	END {
		for (key in count)
			print key, count[key], sent[key]
	}' "$1" | sort
}

# chrome FILE: the same of JSON.
chrome() {
	python3 - "$1" <<-'END'
		import json, sys
		sums = {}
		trace = json.load(open(sys.argv[1]))
		assert trace["otherData"]["lost_events"] == 0
		for event in trace["traceEvents"]:
		    if event["ph"] != "X":
		        continue
		    assert event["ts"] >= 0 and event["dur"] >= 0
		    sum = sums.setdefault((event["pid"], event["name"]), [0, 0])
		    sum[0] += 1
		    sum[1] += event["args"].get("sent_bytes", 0)
		for key, sum in sums.items():
		    print(*key, *sum)
	END
}

# parts RECORD: as CSV has them, the times of the calls of each primitive are the waits,
# the work and the completions of `bcs report --section=waits`.
parts() {
	"$bcs" report --section=waits --json "$1" >"$out/waits"
	python3 - "$out/waits" "$out/csv" <<-'END'
		import csv, json, sys
		left = {}
		for row in csv.DictReader(open(sys.argv[2])):
		    if row["event"] == "call":
		        left[row["call"]] = left.get(row["call"], 0) + int(row["time_ns"])
		for row in json.load(open(sys.argv[1]))["runs"][0]["wait_calls"]:
		    parts = [row[name] for name in row if name.endswith("_ns")
		             and name not in ("total_ns", "waiting_ns")]
		    assert row["total_ns"] == sum(parts), row
		    left[row["call"]] -= row["total_ns"]
		for call, time in left.items():
		    assert time == 0 or call in ("MPI_Init", "MPI_Init_thread",
		                                 "MPI_Finalize"), (call, time)
	END
}

# alike EXPECTED FOUND WHAT
alike() {
	diff -u "$1" "$2" >&9 || fail "$BCS_MODE: $3"
}

for BCS_MODE in observe demand; do
	export BCS_MODE
	for program; do
		forget
		observed 3 "$program" "$out/file" >"$out/stdout"
		sed -n 's/^expect //p' "$out/stdout" | add_up |
			awk '{ print $1, $2, $3, $4 }' | sort >"$out/expected"
		[ -s "$out/expected" ] || fail "$program said nothing"
		"$bcs" export "$(the_record)" >"$out/csv" 2>"$out/stderr"
		[ ! -s "$out/stderr" ] || fail "export: $(cat "$out/stderr")"
		csv "$out/csv" >"$out/of_csv"
		alike "$out/expected" "$out/of_csv" "$program as CSV"
		"$bcs" export --format=chrome -o "$out/json" "$(the_record)"
		parts "$(the_record)" || fail "$program: parts of calls"
		chrome "$out/json" | sort >"$out/of_json"
		alike "$out/expected" "$out/of_json" "$program as JSON"
	done
done

# A ring has the last events of the last program, and has counted the others.
export BCS_MODE=demand
forget
BCS_TRACE=ring:1events observed 3 "$program" "$out/file" >"$out/stdout"
"$bcs" export "$(the_record)" 2>"$out/stderr" | grep -v ',"lost",,' >"$out/ring"
dropped=$(sed -n 's/.*a ring of the last events; \([0-9]*\) before.*/\1/p' "$out/stderr" |
	awk '{ n += $1 } END { print n + 0 }')
kept=$(wc -l <"$out/ring")
# A call may also have a row of waits for a core, which no two runs have alike.
rows=$(grep -vc '"core"' "$out/csv")
calls=$(grep -c '"call"' "$out/csv")
if [ $((kept + dropped)) -lt "$rows" ] || [ $((kept + dropped)) -gt $((rows + calls)) ]; then
	fail "ring: $kept rows and $dropped dropped, not $rows"
fi
[ "$(grep -c '"MPI_Finalize"' "$out/ring")" -eq 3 ] || fail "ring: the last calls are not in it"

# iprobes: how many calls of MPI_Iprobe the traces of both ranks have by now.
iprobes() {
	for record in "$records"/*.bcs; do
		[ ! -d "$record" ] || "$bcs" export "$record" 2>/dev/null
	done | grep -c '"call","MPI_Iprobe"' || :
}

forget
BCS_SAVE=0 observed 2 "$endings" killed "$out/go" >"$out/stdout" 2>&1 &
job=$!
i=0
while [ "$(iprobes)" -lt 10 ] && [ $((i += 1)) -le 300 ]; do
	sleep 0.1
done
touch "$out/go"
wait "$job" && rc=0 || rc=$?
[ "$rc" -ne 0 ] || fail "the program was not killed"
[ "$(iprobes)" -eq 10 ] || fail "killed: $(iprobes) calls of MPI_Iprobe, not 10"
"$bcs" export --format=chrome "$(the_record)" 2>"$out/stderr" |
	python3 -c 'import json, sys; json.load(sys.stdin)' || fail "killed: no JSON"
grep -q 'rank-000001.trace' "$out/stderr" ||
	fail "nothing was said of a trace without an end"
