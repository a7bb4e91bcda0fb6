#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_batch.sh PROGRAM
# What PROGRAM (programs/batch.c) moves is recorded alike, of each call, peer and
# communicator, whether it waits for all of it at once, or for one by one.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# moved HOW: what was, by the records of all ranks.
moved() {
	forget
	observed 3 "$program" "$1"
	for file in "$(the_record)"/rank-*.gz; do
		table "$file" cells "call count sent_bytes received_bytes" |
			grep -v '^MPI_Wait'
		table "$file" peers "communicator peer sends sent_bytes \
			receives received_bytes"
		table "$file" communicators "communicator sent_bytes received_bytes"
	done | sort
}

program=$1
for mode in observe demand; do
	export BCS_MODE=$mode
	moved one >"$out/one"
	[ "$(grep -cx 'MPI_Irecv 4 0 32' "$out/one")" -eq 3 ] ||
		fail "$mode: $(cat "$out/one")"
	for how in all some; do
		moved $how >"$out/$how"
		diff "$out/one" "$out/$how" || fail "$mode: $how"
	done
done

# A receive that is kept, of a communicator that was not met before.
moved first >/dev/null
table "$(the_record)/rank-000000.gz" peers "communicator peer receives received_bytes" |
	grep -qx '0 1 1 8' || fail "not with its peer: a persistent receive"

# What finds no room is told.
export BCS_MEMORY=128K
moved many >/dev/null
table "$(the_record)/rank-000000.gz" notes text |
	grep -q '^Some%20requests%20found%20no%20room' || fail "nothing is told"
