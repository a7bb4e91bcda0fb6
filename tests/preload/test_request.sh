#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_request.sh PROGRAM
# SIGUSR2 makes a process that hangs in MPI write its record, with the call that
# it hangs in, and go on as if nothing had been.  What is killed has saved its
# record before.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

BCS_SAVE=0 observed 2 "$1" request "$out/go" >"$out/stdout" 2>&1 &
job=$!
file=
i=0
while [ ! -f "$file" ] && [ $((i += 1)) -le 300 ]; do
	sleep 0.1
	file=$(find "$records" -name rank-000000.gz)
done
[ -f "$file" ] && cp "$file" "$out/hung.gz"
touch "$out/go"
wait "$job" && rc=0 || rc=$?

[ -f "$out/hung.gz" ] || fail "no record was written while it hung"
[ "$(value "$out/hung.gz" reason)" = request ] ||
	fail "reason $(value "$out/hung.gz" reason)"
now=$(table "$out/hung.gz" now "call tag peer")
[ "$now" = "MPI_Recv 7 1" ] || fail "hung in: $now"
mkdir "$out/hung.bcs"
mv "$out/hung.gz" "$out/hung.bcs/rank-000000.gz"
"$BCS_BUILD/analyzer/bcs" report "$out/hung.bcs" >"$out/report"
grep -q "Ended  *still running when the record was asked for" "$out/report" ||
	fail "ended: $(grep Ended "$out/report")"
[ "$rc" -eq 11 ] || fail "ended with $rc instead of 11"
[ "$(value "$file" reason)" = finalize ] ||
	fail "the last record: $(value "$file" reason)"

# All that were there, and those that mpiexec kills then: the first save is soon.
forget
rm "$out/go"
observed 2 "$1" killed "$out/go" >"$out/stdout" 2>&1 &
job=$!
saved() {
	find "$records" -name 'rank-00000[01].gz' | wc -l
}
i=0
while [ "$(saved)" -lt 2 ] && [ $((i += 1)) -le 300 ]; do
	sleep 0.1
done
ends_as() {
	"$BCS_BUILD/analyzer/bcs" report "$(the_record)" >"$out/report"
	grep -q "Ended  *$1" "$out/report" || fail "$1: $(grep -A1 Ended "$out/report")"
}
ends_as "not yet: it still runs"
touch "$out/go"
wait "$job" && rc=0 || rc=$?
[ "$rc" -eq 9 ] || fail "killed, it ended with $rc instead of 9"
[ "$(saved)" -eq 2 ] || fail "not two records of what was killed"
for file in "$(the_record)"/*.gz; do
	[ "$(value "$file" reason)" = saved ] ||
		fail "killed: reason $(value "$file" reason)"
	[ "$(table "$file" cells "call count" |
		sed -n 's/MPI_Iprobe //p')" = 5 ] || fail "$file: not its calls"
done
ends_as "killed: no process of it is left"
"$BCS_BUILD/analyzer/bcs" report --json --section=ranks "$(the_record)" >"$out/json"
[ "$(grep -c '"reason": "gone"' "$out/json")" -eq 2 ] || fail "killed: $(cat "$out/json")"

# One that could not write its end says so, and leaves word.
forget
BCS_JOB=1 status observed 1 "$1" no_size "$records/endings.1.bcs/rank-000000.gz" \
	>"$out/stdout" 2>"$out/stderr"
[ "$rc" -eq 9 ] || fail "no size: ended with $rc"
grep -q "^bcs: cannot write the record.*ulimit -f" "$out/stderr" ||
	fail "no size: said $(cat "$out/stderr")"
"$BCS_BUILD/analyzer/bcs" report "$(the_record)" >"$out/report"
grep -q "Ended  *unknown: the end could" "$out/report" ||
	fail "no size: $(grep -A1 Ended "$out/report")"
grep -q "could not be written by rank 0: File too large (ulimit -f" "$out/report" ||
	fail "no size: not why: $(cat "$out/report")"

# Where there is no record at all, the flight recorder is left, or a word.
for flight in on off; do
	forget
	BCS_FLIGHT=$flight status observed 1 "$1" no_room >"$out/stdout" 2>"$out/stderr"
	[ "$rc" -eq 11 ] || fail "no room: ended with $rc"
	"$BCS_BUILD/analyzer/bcs" report --width=200 "$(the_record)" >"$out/report" 2>&1 || :
	case $flight in
	on) found="Ended  *unknown: the record could not be written" ;;
	off) found="has no record file; rank 0 could not write it: File too large" ;;
	esac
	grep -q "$found" "$out/report" || fail "no room, $flight: $(cat "$out/report")"
	grep -q "(ulimit -f" "$out/report" || fail "no room, $flight: $(cat "$out/report")"
	! grep -q "0 GHz" "$out/report" || fail "no room, $flight: $(cat "$out/report")"
done
