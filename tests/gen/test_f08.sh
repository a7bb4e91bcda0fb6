#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_f08.sh PROGRAM
# A program that uses mpi_f08 gets what it gets without the preload, and each of its
# calls is recorded once.
. "$BCS_SOURCE/tests/lib.sh"

# MPICH's windows go wrong without, and the preload sets it.
export UCX_RCACHE_ENABLE=n

native 2 "$1" "$out/native" "$out/file"
observed 2 "$1" "$out/observed" "$out/file"
for rank in 0 1; do
	for run in native observed; do
		grep -v '^expect' "$out/$run.$rank" >"$out/$run"
	done
	diff -u "$out/native" "$out/observed"
	sed -n "s/^expect \(.*\)/$rank \1 0 0/p" "$out/observed.$rank" \
		>>"$out/lines"
done
[ -s "$out/lines" ] || fail "$1 said nothing"
add_up <"$out/lines" | cut -d' ' -f1-3 >"$out/expected"
calls "$(the_record)" | cut -d' ' -f1-3 >"$out/recorded"
diff -u "$out/expected" "$out/recorded"
