#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_posts.sh PROGRAM
# Calls of PROGRAM (programs/posts.c) that only post a message are not all timed,
# but all are counted; those that do more, or are MPI's, are timed, each of them.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# run MODE ARGUMENTS...: leaves whether rank 0, and 1, timed every call.
run() {
	forget
	BCS_MODE=$1
	export BCS_MODE
	shift
	observed 2 "$program" "$@"
	record=$(the_record)
	for rank in 0 1; do
		file=$record/rank-00000$rank.gz
		table "$file" cells "call count sent_bytes received_bytes" |
			grep -E '^MPI_I(send|recv) '
		if table "$file" notes text | grep -q 'were%20not%20timed'; then
			echo "some"
		else
			echo "all"
		fi
	done >"$out/told"
}

# expect BYTES ZERO ONE: of each rank, whether all are timed.
expect() {
	cat >"$out/expected" <<-end
		MPI_Isend 4000 $((4000 * $1)) 0
		$2
		MPI_Irecv 4000 0 $((4000 * $1))
		$3
	end
	diff "$out/expected" "$out/told"
}

program=$1

run demand 8
# A sanitizer makes them slow.
[ -z "${BCS_PRELOAD_FIRST-}" ] || sed -i 's/^all$/some/' "$out/told"
expect 8 some some
run demand 4096
sed -i '4s/.*/any/' "$out/told"
expect 4096 all any
for mode in demand observe fixed; do
	run "$mode" 8 between
	expect 8 all all
done
for mode in observe fixed; do
	run "$mode" 8
	expect 8 all all
done
