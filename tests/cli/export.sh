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
head=$head'"received_bytes","communicator","request","phase","site","lost"'

# rows RANK...: what is in the CSV of these.
rows() {
	echo "$head"
	for rank; do
		cat <<-END
			$rank,0,"call","MPI_Waitall",0,100,"any",2,0,0,"feed",,"solve",,
			$rank,0,"received","MPI_Waitall",0,100,1,2,0,8,"feed",,"solve",,
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
grep -qxF '0,,"lost",,,,,,,,,,,,7' stdout || fail "CSV does not tell what was lost"
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
fails 2 "--format=xml is not taken; it can be csv or chrome" \
	"$bcs" export --format=xml good.bcs
fails 2 "--rank=x" "$bcs" export --rank=x good.bcs
fails 2 "one record" "$bcs" export good.bcs cut.bcs
fails 2 "cannot write to no/such.csv" "$bcs" export -o no/such.csv good.bcs
fails 2 "cannot write to /dev/full" "$bcs" export -o /dev/full good.bcs
fails 2 "cannot write to standard output" sh -c '"$1" export good.bcs >/dev/full' - "$bcs"
mkdir empty
cd empty
fails 2 "which record" "$bcs" export
