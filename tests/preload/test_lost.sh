#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_lost.sh PROGRAM
# A process that is killed, and with it a node, ends the job as it does without the
# preload: with the same status, and nobody is left.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

cp "$BCS_BUILD/benchmarks/tick" "$out/tick"
trap 'end_left; rm -rf "$out"' EXIT
export BCS_MODE=fixed BCS_NODE_SIZE=1

# pid_of RANK: its process; nothing if it is not there.
pid_of() {
	for process in $(running "$out/tick"); do
		if tr '\0' '\n' <"/proc/$process/environ" 2>"$out/gone" |
			grep -qx "PMI_RANK=$1"; then
			echo "$process"
		fi
	done
}

# lost HOW RANK: the status of the job; one that does not end is ended, and has another.
lost() {
	$1 4 "$out/tick" barrier 100 1000000 >"$out/stdout" 2>"$out/stderr" &
	job=$!
	# Until all run for a while.
	i=0
	until [ "$(running "$out/tick" | wc -l)" -eq 4 ]; do
		[ $((i += 1)) -le 300 ] || fail "$1: $(cat "$out/stderr")"
		sleep 0.1
	done
	sleep 1
	kill -9 "$(pid_of "$2")"
	ended=0
	wait $job || ended=$?
	i=0
	until [ -z "$(running "$out/tick")" ]; do
		[ $((i += 1)) -le 100 ] || fail "$1: rank $2 lost: others are left"
		sleep 0.1
	done
}

# MPI's launcher itself may fail, and then loses the status of the ranks: it says so.
launcher_failed() {
	grep -q '^\[mpiexec@' "$out/stderr"
}

ends_alike() {
	for _ in 1 2 3 4 5; do
		lost native "$1"
		right=$ended
		lost observed "$1"
		launcher_failed || break
	done
	[ "$ended" -eq "$right" ] ||
		fail "rank $1 lost: status $ended, without the preload $right: $(cat "$out/stdout" "$out/stderr")"
}

# The Strobe Sender's process, and another node's.
ends_alike 0
ends_alike 2
