#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What a Fortran program forgets is told of with its lines, and nothing else.
# usage: PROGRAM SOURCE
. "$BCS_SOURCE/tests/lib.sh"

# Each line as "FINDING LINE".
sed -n 's/^.*! \([a-z]*-not-[a-z]*\)$/\1/;=;p' "$2" | awk '
	/^[0-9]+$/ { line = $0; next }
	/^[a-z]+-not-[a-z]+$/ { print $0, line }' | sort >"$out/expected"
[ -s "$out/expected" ] || fail "no line is marked"
BCS_MODE=demand observed 2 "$1" </dev/null >/dev/null 2>"$out/err" ||
	fail "status $?: $(cat "$out/err")"
"$BCS_BUILD/analyzer/bcs" report --section=findings --csv --top=0 \
	"$(the_record)" | tr -d '"' | awk -F, 'NR > 1 {
		sub(/.*:/, "", $9)
		print $1, $9
	}' | sort >"$out/found"
diff "$out/expected" "$out/found" >&9 || fail "marked (<), found (>)"
