#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_same.sh MODE RANKS FILTER PROGRAM [ARGUMENT]...
# A program prints the same lines and ends the same with the preload as without, and
# is recorded.  FILTER takes times out of what it prints.  It runs in the folder
# that it is in, where its input is; @OUT@ in an argument is a folder to write.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

export BCS_MODE="$1"
ranks=$2
filter=$3
program=$(realpath "$(command -v "$4")") || skip "$4 is not installed"
shift 4
n=$#
for arg; do
	set -- "$@" "$(printf '%s\n' "$arg" | sed "s|@OUT@|$out|")"
done
shift "$n"
cd "$(dirname "$program")"

# said COMMAND RANKS PROGRAM...: each rank's lines go to a file of its own, for
# mpiexec may cut one where another rank's begins; mpiexec's go to one more.
said() {
	file=$out/$1
	run=$1
	n=$2
	shift 2
	# shellcheck disable=SC2016
	status "$run" "$n" sh -c 'exec "$@" >"$0.${PMI_RANK-$OMPI_COMM_WORLD_RANK}" 2>&1' \
		"$file" "$@" >"$file.mpiexec" 2>&1
	# What ranks print at once may come in any order.  MPICH's assertions print
	# the stack, which has the preload's functions in it.
	cat "$file".* | sed -E '/^\/[^ ]*\([^ ]*\) \[0x[0-9a-f]+\]$/d' |
		sed -E "$filter" | sort >"$file"
}

said native "$ranks" "$program" "$@"
native_rc=$rc
[ "$native_rc" -ne 77 ] || skip "$(cat "$out/native")"
[ -s "$out/native" ] || fail "$program printed nothing"
# OpenCoarrays leaves a message that nobody receives, which MPICH refuses since 4.2.
! grep -q "being freed has .* unmatched message" "$out/native" ||
	skip "without the preload it ends with an error in MPI_Comm_free"
said observed "$ranks" "$program" "$@"
[ "$native_rc" -eq "$rc" ] || fail "ended with $rc instead of $native_rc"
diff -u "$out/native" "$out/observed"

record=$(the_record)
for file in "$record"/*.gz; do
	[ "$(value "$file" reason)" = finalize ] || fail "$file: not whole"
	[ "$(value "$file" mode)" = "$BCS_MODE" ] || fail "$file: another mode"
	[ "$(table "$file" cells call | wc -l)" -gt 2 ] || fail "$file: no calls"
done
[ "$(ls "$record")" = "$(seq -f 'rank-%06g.gz' 0 $((ranks - 1)))" ] ||
	fail "not a file a rank: $(ls "$record")"
