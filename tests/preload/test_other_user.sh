#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_other_user.sh PROGRAM
# A program of root that becomes another user after MPI_Init leaves its whole record: its
# files are taken at the start.
BCS_TEST_ROOT=whole
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
[ "$(id -u)" -eq 0 ] || skip "only root may become another user"

# becomes HOW
becomes() {
	forget
	status observed 2 "$program" "$1" >"$out/said" 2>&1
	[ "$rc" -eq 0 ] || [ "$1" = killed ] || [ "$1" = back ] ||
		fail "$1: ended with $rc: $(cat "$out/said")"
	! grep '^bcs: ' "$out/said" || fail "$1: said that"
	record=$(the_record)
}

# shows WHAT ENDED CALLS: what the report has, of both ranks.
shows() {
	"$bcs" report --width=200 "$record" >"$out/report" 2>&1 ||
		fail "$1: $(cat "$out/report")"
	grep -q "Ended  *$2" "$out/report" || fail "$1: $(cat "$out/report")"
	grep -q "Iprobe  *$3 " "$out/report" || fail "$1: $(cat "$out/report")"
	! grep -q "0 GHz" "$out/report" || fail "$1: $(cat "$out/report")"
}

program=$1
becomes fine
shows fine "with MPI_Finalize" 20

# The temporary names are not copied.
"$bcs" merge "$out/merged" "$record" >"$out/said" 2>&1 || fail "$(cat "$out/said")"
[ "$(find "$out/merged" -name 'rank-00000[01].gz' | wc -l)" -eq 2 ] ||
	fail "merged: $(ls -A "$out/merged")"
[ -z "$(find "$out/merged" -name '.*.gz*')" ] || fail "merged: temporary names"

becomes asked
shows asked "with MPI_Finalize" 40

# The last save counts, and one that was cut off by a kill does not.
becomes killed
shows killed "still running when the record was asked for" 40
for empty in "$record"/.rank-*.gz.*; do
	[ ! -s "$empty" ] || continue
	for whole in "${empty%.*}".*; do
		[ ! -s "$whole" ] || head -c 300 "$whole" >"$empty"
	done
done
[ "$(find "$record" -name '.rank-*.gz.*' -size -301c | wc -l)" -eq 2 ] ||
	fail "killed: not two files of a rank: $(ls -lA "$record")"
shows "killed in a save" "still running when the record was asked for" 40

# As root again it gives the record its name.
becomes back
[ "$(find "$record" -name 'rank-*.gz' | wc -l)" -eq 2 ] ||
	fail "back: $(ls -lA "$record")"
[ -z "$(find "$record" -name '.rank-*.gz.*' -size +0)" ] ||
	fail "back: an older record stayed: $(ls -lA "$record")"
shows back "still running when the record was asked for" 40
