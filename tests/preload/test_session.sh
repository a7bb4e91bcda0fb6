#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_session.sh PROGRAM
# A program without MPI_COMM_WORLD is recorded, a file a process.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# The folder's name can be guessed: a link of that name is not followed.
name=$(basename "$1")
mkdir "$out/elsewhere"
ln -s "$out/elsewhere" "$records/$name.7.bcs"
BCS_JOB=7 observed 2 "$1"
[ -z "$(ls "$out/elsewhere")" ] || fail "the record is where a link led"
[ "$(find "$records/$name.7.2.bcs" -name 'proc-*.gz' | wc -l)" -eq 2 ] ||
	fail "no two files in another folder: $(ls "$records")"
[ "$(stat -c %a "$records/$name.7.2.bcs")" = 700 ] ||
	fail "others may look into the record"
forget

observed 2 "$1"
record=$(the_record)
[ "$(find "$record" -name 'proc-*.gz' | wc -l)" -eq 2 ] ||
	fail "not two files: $(ls "$record")"
for file in "$record"/*.gz; do
	n=$(table "$file" cells "call count sent_bytes received_bytes" |
		awk '$1 == "MPI_Allreduce" { n += $2; s += $3; r += $4 }
		END { print n, s, r }')
	[ "$n" = "3 12 12" ] || fail "$file: $n of MPI_Allreduce"
	[ "$(value "$file" reason)" = finalize ] ||
		fail "$file: $(value "$file" reason)"
done
