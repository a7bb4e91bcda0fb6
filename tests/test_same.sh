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

native "$ranks" "$program" "$@" >"$out/native" 2>&1 && native_rc=0 || native_rc=$?
observed "$ranks" "$program" "$@" >"$out/observed" 2>&1 && rc=0 || rc=$?

[ "$native_rc" -eq "$rc" ] || fail "ended with $rc instead of $native_rc"
# What ranks print at once may come in any order.
sed -E "$filter" "$out/native" | sort >"$out/expected"
[ -s "$out/expected" ] || fail "$program printed nothing"
sed -E "$filter" "$out/observed" | sort | diff -u "$out/expected" -

record=$(the_record)
for file in "$record"/*.gz; do
	[ "$(value "$file" reason)" = finalize ] || fail "$file: not whole"
	[ "$(value "$file" mode)" = "$BCS_MODE" ] || fail "$file: another mode"
	[ "$(table "$file" cells call | wc -l)" -gt 2 ] || fail "$file: no calls"
done
[ "$(ls "$record")" = "$(seq -f 'rank-%06g.gz' 0 $((ranks - 1)))" ] ||
	fail "not a file a rank: $(ls "$record")"
