#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# `bcs check` of programs that end by a fault: that fault at its line, and no
# other; and none of an error that is handled.  usage: MODE RANKS PROGRAM SOURCE
. "$BCS_SOURCE/tests/lib.sh"

mode=$1
ranks=$2
program=$out/faults
cp "$3" "$program"
trap 'end_left; rm -rf "$out"' EXIT
source=$4
cd "$records"

# checked HOW STATUS: runs it; what is found is in the file `found`.
checked() {
	forget
	status env BCS_MODE="$mode" timeout -k 5 "$limit" \
		"$BCS_BUILD/analyzer/bcs" check -- \
		mpiexec.mpich -n "$ranks" "$program" "$1" </dev/null \
		>"$out/found" 2>"$out/err" 9>&-
	[ "$rc" -eq "$2" ] || fail "$1: status $rc: $(cat "$out/found" "$out/err")"
}

# finds HOW: at the line that is marked with it.
finds() {
	checked "$1" 1
	line=$(grep -n "/\* $1 \*/" "$source" | cut -d: -f1)
	grep -q "^error: .*faults\.c:${line:-[0-9]*}\(; sent .*\)* \[$1\]$" \
		"$out/found" ||
		fail "$1: not found: $(cat "$out/found")"
	# Places of other ranks, too, have their line.
	! grep '+0x' "$out/found" || fail "$1: an address is told"
	# Several ranks may tell of it, each as it sees it.
	! grep '^[a-z].*\[' "$out/found" | grep -v "\[$1\]$" ||
		fail "$1: another, too: $(cat "$out/found")"
}

checked handled 0
finds truncation
[ "$mode" = observe ] ||
	grep -q ": 20 bytes for a receive of 16, .*; sent by rank 0 at .*faults\.c:" \
		"$out/found" || fail "without its sender: $(cat "$out/found")"
finds mpi-error
[ "$mode" = observe ] && exit
finds deadlock
finds collective-mismatch
