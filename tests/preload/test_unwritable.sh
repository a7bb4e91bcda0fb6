#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_unwritable.sh PROGRAM
# Where no record can be written the program ends as it would have, and there is
# one line about it for the whole job.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1

# try WHERE WHAT
try() {
	BCS_OUT=$1
	status observed 3 "$program" none >"$out/stdout" 2>"$out/stderr"
	[ "$rc" -eq 11 ] || fail "$2: ended with $rc instead of 11"
	n=$(wc -l <"$out/stderr")
	ours=$(grep -c '^bcs: ' "$out/stderr") || :
	if [ "$n $ours" != "1 1" ]; then
		cat "$out/stderr" >&2
		fail "$2: not one line about it"
	fi
}

try /proc/none "a folder that cannot be made"
try /dev/null "not a folder"

mkdir "$out/locked"
chmod 555 "$out/locked"
# Root writes all the same.
[ "$(id -u)" -eq 0 ] || try "$out/locked" "a folder without permission"

# A disk of two pages that are in use.
[ "$(id -u)" -eq 0 ] || exit 0
mkdir "$out/full"
mount -t tmpfs -o size=8k tmpfs "$out/full" 2>/dev/null || exit 0
trap 'umount "$out/full"; rm -rf "$out"' EXIT
head -c 8192 /dev/zero >"$out/full/filler"
try "$out/full" "a full disk"
[ -z "$(find "$out/full" -name '*.gz*')" ] || fail "half a file was left"

# Slices fill a disk, but for the room of the record's files.
rm "$out/full/filler"
mount -o remount,size=96k "$out/full"
BCS_MODE=fixed BCS_SLICE=10us BCS_EMDS=every BCS_OUT=$out/full \
	observed 2 "$program" late >"$out/stdout" 2>"$out/stderr" || rc=$?
[ "$rc" -eq 11 ] || fail "slices: ended with $rc"
[ "$(grep -c '^bcs: cannot write the record.*BCS_OUT' "$out/stderr")" -eq 1 ] ||
	fail "slices: said $(cat "$out/stderr")"
[ "$(find "$out/full" -name 'rank-*.gz' | wc -l)" -eq 2 ] ||
	fail "slices: left $(ls -l "$out"/full/*)"
