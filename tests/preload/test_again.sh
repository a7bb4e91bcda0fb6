#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_again.sh MODE NODE_SIZE RANKS REPLAYS PROGRAM
# A run of PROGRAM (programs/races.c) that was recorded with BCS_RECORD=schedule
# has the same order again, in its mode and in others, and records the same file.
# A run that leaves the schedule says where; a schedule that cannot be used ends
# the program with status 2.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

mode=$1
export BCS_NODE_SIZE="$2"
ranks=$3
replays=$4
program=$5
# Between nodes each message takes slices of several nodes on the same few cores.
case $mode$2 in
*0) rounds=20 ;;
fixed*) rounds=3 ;;
*) rounds=8 ;;
esac
schedule=$out/schedule

# run MODE ARGUMENTS...: what the program prints.
run() {
	BCS_MODE=$1
	export BCS_MODE
	shift
	observed "$ranks" "$program" "$rounds" "$@" </dev/null
}

# replay MODE ARGUMENTS...: likewise, by the schedule.
replay() {
	BCS_REPLAY=$schedule run "$@"
}

BCS_RECORD=schedule run "$mode" >"$out/expected"
grep -qxE '[0-9a-f]{16}' "$out/expected" || fail "no hash was printed"
mv "$(the_record)" "$schedule"

# In slices, they are recorded; below they are compared.
if [ "$mode" = fixed ]; then
	for file in "$schedule"/*.schedule; do
		zcat "$file" | grep -aq 'section slices ' || fail "no slices: $file"
	done
fi

# Another mode is tried once.
for m in demand fixed observe; do
	n=1
	[ "$m" != "$mode" ] || n=$replays
	for i in $(seq "$n"); do
		replay "$m" >"$out/found"
		cmp "$out/expected" "$out/found" ||
			fail "another order, $m, run $i"
	done
done

# rows FILE: of a schedule.  A slower run has more sections, once a second.
rows() {
	zcat "$1" | python3 -c '
import re, sys
text, at, rows = sys.stdin.buffer.read(), 0, {}
while at < len(text):
    head = re.compile(rb"section (\S+) 1 (\d+)\n").match(text, at)
    at = head.end() + int(head[2])
    rows[head[1]] = rows.get(head[1], b"") + text[head.end():at]
for name in sorted(rows):
    sys.stdout.buffer.write(name + b"\n" + rows[name] + b"\n")
'
}

# The schedule of the run by the schedule is the schedule.
forget
BCS_RECORD=schedule replay "$mode" >"$out/found"
for file in "$schedule"/*.schedule; do
	rows "$file" >"$out/first"
	grep -aqx end "$out/first" || fail "no rows: $file"
	rows "$(the_record)/${file##*/}" | cmp "$out/first" - ||
		fail "another schedule: $file"
done

# A probe more than there were.
left="rank 0 leaves the recorded schedule after [0-9]+ outcomes: "
left="${left}MPI_Finalize was recorded, MPI_Iprobe at [^ ]+ is called"
status replay "$mode" stray 2 >"$out/found" 2>"$out/told"
[ "$rc" -eq 78 ] || fail "status $rc of a run that left the schedule"
grep -qxE "bcs: $left" "$out/told" || fail "$(cat "$out/told")"
export BCS_DIVERGED=go-on
replay "$mode" stray 2 >"$out/found" 2>"$out/told"
cmp "$out/expected" "$out/found"
grep -xE "bcs: $left; going on without it" "$out/told" >"$out/lines"
[ "$(wc -l <"$out/lines")" -eq 1 ] || fail "$(cat "$out/told")"

# refused WHAT LINE: the schedule cannot be used.
refused() {
	status replay "$mode" >"$out/found" 2>"$out/told"
	[ "$rc" -eq 2 ] || fail "status $rc: $1"
	[ ! -s "$out/found" ] || fail "the program ran: $1"
	grep -c '^bcs: ' "$out/told" | grep -qx 1 || fail "$(cat "$out/told")"
	grep -qE "^bcs: BCS_REPLAY: .*$2" "$out/told" || fail "$(cat "$out/told")"
}

cp -r "$schedule" "$out/whole"
ranks=2
refused "two ranks" "is of rank 0 of $3, and this is rank 0 of 2"
ranks=$3
rm "$schedule/rank-000001.schedule"
refused "a file is missing" "no rank-000001.schedule: .*BCS_RECORD=schedule"
head -c 200 "$out/whole/rank-000001.schedule" >"$schedule/rank-000001.schedule"
refused "a file is cut off" "rank-000001.schedule: .*cut off or damaged"
cp "$out/whole/rank-000000.gz" "$schedule/rank-000001.schedule"
refused "another file" "rank-000001.schedule: .*is not of a schedule"
