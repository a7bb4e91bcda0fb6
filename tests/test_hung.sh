#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_hung.sh PROGRAM
# What a job that hangs is asked for (programs/hung.c): of an MPI_Waitall only what
# did not come yet, and also ranks that compute or are in MPI_Finalize.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

limit=60
BCS_SAVE=0 observed 3 "$1" "$out/go" >"$out/stdout" 2>&1 &
job=$!
i=0
while [ "$(find "$records" -name 'rank-*.gz' | wc -l)" -lt 3 ] &&
	[ $((i += 1)) -le 300 ]; do
	sleep 0.1
done
cp -r "$(the_record)" "$out/hung.bcs"
touch "$out/go"
wait "$job" || fail "ended with $?: $(cat "$out/stdout")"

"$BCS_BUILD/analyzer/bcs" report --width=200 -s now "$out/hung.bcs" >"$out/report"
for line in \
	"rank 0 is in MPI_Waitall for a receive from rank 1, tag 1, for .*hung.c:" \
	"rank 1 is in no call of MPI" \
	"rank 2 is in MPI_Finalize, for"; do
	grep -q "$line" "$out/report" || fail "not told: $line: $(cat "$out/report")"
done
! grep "tag 0" "$out/report" || fail "a message that came is waited for"
