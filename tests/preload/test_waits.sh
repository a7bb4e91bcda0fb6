#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_waits.sh PROGRAM
# Time in calls that complete requests (programs/waits.c) is with the peers whose
# messages they waited for, and all of it is.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1

# peer FILE RANK: its receives and the milliseconds that were spent with it.
peer() {
	table "$1" peers "peer receives time_ns" |
		awk -v rank="$2" '$1 == rank { print $2, int($3 / 1e6) }'
}

times_are_right() {
	forget
	observed 3 "$program"
	file=$(the_record)/rank-000000.gz

	# 200 ms alone and twice half of 200 ms; the waiting may begin late on a busy machine.
	for rank in 1 2; do
		# shellcheck disable=SC2046 # two numbers
		set -- $(peer "$file" $rank)
		[ "$1" = $((rank + 1)) ] ||
			fail "$1 messages of rank $rank instead of $((rank + 1))"
		[ "$2" -ge 290 ] || fail "$2 ms with rank $rank instead of 400"
	done

	waited=$(table "$file" cells "call time_ns" |
		awk '$1 ~ /^MPI_(Wait|Sendrecv)/ { ns += $2 } END { print int(ns / 1e6) }')
	# shellcheck disable=SC2046
	set -- $(peer "$file" 1) $(peer "$file" 2)
	lost=$((waited - $2 - $4))
	if [ $lost -lt -2 ] || [ $lost -gt 5 ]; then
		fail "of $waited ms in MPI_Wait…, MPI_Sendrecv $lost are with nobody"
	fi

	# Nothing was copied to speak of: it is waiting, though ranks share cores.
	# shellcheck disable=SC2046
	set -- $(table "$file" threads "communication_ns waiting_ns" |
		awk '{ print int($1 / 1e6), int($2 / 1e6) }')
	if [ "$2" -gt "$1" ] || [ "$2" -lt $((waited / 2)) ]; then
		fail "waited $2 of $1 ms in MPI, $waited of them in those"
	fi

	# The communicator has them too.
	world=$(table "$file" communicators "name time_ns" |
		awk '$1 == "MPI_COMM_WORLD" { print int($2 / 1e6) }')
	[ "$world" -ge $((waited - 5)) ] || fail "$world ms in MPI_COMM_WORLD"
}
tries times_are_right

# What is left out is left out: no bytes of an MPI_Irecv that is not recorded.
forget
BCS_CALLS=MPI_Send,MPI_Wait observed 3 "$program"
file=$(the_record)/rank-000000.gz
[ "$(calls "$(the_record)" | grep -c '^0 ')" -eq 1 ] ||
	fail "more than MPI_Wait: $(calls "$(the_record)")"
