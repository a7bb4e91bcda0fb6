#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_unchanged.sh PROGRAM MODE
# A call that MPI refuses changes nothing: the program prints what it prints
# without the preload, and the record has the bytes of a run without such calls.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
export BCS_MODE="$2"
ranks=3

# moved: of each rank, call and peer what it moved.
moved() {
	record=$(the_record)
	calls "$record" | awk '$4 || $5 { print $1, $2, $4, $5 }'
	for file in "$record"/*.gz; do
		table "$file" peers \
			"communicator peer sends sent_bytes receives received_bytes" |
			sed "s/^/$(value "$file" rank) /" | sort
	done
}

observed "$ranks" "$program" plain >/dev/null 2>"$out/err" ||
	fail "plain: $(cat "$out/err")"
moved >"$out/plain"
forget

native "$ranks" "$program" 2>&1 | sort >"$out/native"
status observed "$ranks" "$program" >"$out/said" 2>&1
[ "$rc" -eq 0 ] || fail "ended with $rc: $(cat "$out/said")"
sort "$out/said" | diff -u "$out/native" -
moved | diff -u "$out/plain" -

# What was written for an end that did not come is not the last word.
forget
status observed 1 "$program" leaves >"$out/said" 2>&1
reason=$(value "$(the_record)/rank-000000.gz" reason)
[ "$reason" = exit ] || fail "the record was written for: $reason"
