#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_together.sh PROGRAM
# Receives that one call completes (programs/together.c) are credited each to its
# own place, communicator, sender and size.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

observed 3 "$1"
file=$(the_record)/rank-000000.gz

# is WHAT GOT EXPECTED
is() {
	[ "$2" = "$3" ] || fail "$1: $2 instead of $3"
}

is places "$(table "$file" cells "call received_bytes" |
	sed -n 's/^MPI_Irecv //p' | sort -n | xargs)" "20 40"
is senders "$(table "$file" peers "peer receives received_bytes" |
	awk '$2 > 0' | sort -n | xargs)" "1 4 16 2 2 8 2 3 36"
is communicators "$(table "$file" communicators "received_bytes" |
	awk '$1 > 0' | sort -n | xargs)" "24 36"
# Buckets begin at these sizes (mds/FORMAT.md, "distributions").
is sizes "$(table "$file" distributions "of buckets" |
	awk -v bits="$(value "$file" resolution)" '
		function low(bucket,    n) {
			n = 2 ^ bits
			if (bucket < n)
				return bucket
			return (n + bucket % n) * 2 ^ (int(bucket / n) - 1)
		}
		$1 != "size" { next }
		{
			at = 0
			n_items = split($2, item, ",")
			for (i = 1; i <= n_items; i++) {
				split(item[i] ":1", part, ":")
				at += part[1]
				if (at > 0)
					sum[low(at)] += part[2]
			}
		}
		END { for (bytes in sum) print bytes, sum[bytes] }' |
	sort -n | xargs)" "4 7 16 2"
