#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_threads.sh PROGRAM MODE [NODE_SIZE]
# Threads that call MPI at once lose no call and no byte, and each is accounted
# for; what one thread receives is with the right peer.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

export BCS_MODE="$2"
[ $# -lt 3 ] || export BCS_NODE_SIZE="$3"
observed 2 "$1" >"$out/stdout"
calls_of_a_thread=$((100 + 1000 + 4 * 3000 + 4 * 300))
sed -n 's/^expect //p' "$out/stdout" | add_up >"$out/expected"
record=$(the_record)
calls "$record" | diff -u "$out/expected" -

for file in "$record"/*.gz; do
	[ "$(table "$file" peers "communicator peer receives received_bytes" |
		awk -v rank="$(value "$file" rank)" '$2 == rank { n += $3; b += $4 }
			END { print n, b }')" = "26400 105600" ] ||
		fail "$file: what it sent to itself is not as it was"
	[ "$(value "$file" thread_level)" = multiple ] ||
		fail "$file: thread level $(value "$file" thread_level)"
	# The first, and four whose places the other four take over.
	n=$(table "$file" threads thread | wc -l)
	[ "$n" -eq 5 ] || fail "$file: $n threads"
	table "$file" threads \
		"thread computation_ns communication_ns calls" |
	awk -v wall="$(value "$file" wall_ns)" -v each=$calls_of_a_thread '
	$1 != 0 && $2 + $3 > wall * (1 + 1e-5) { bad = 1 }
	{ calls += $4 }
	END {
		# Comm_rank, and eight times what each thread does.
		if (bad || calls != 1 + 8 * each) {
			print calls " calls in all" > "/dev/stderr"
			exit 1
		}
	}'
done
