#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_ompi_endings.sh PROGRAM
# However a program of Open MPI ends (programs/endings.c), it ends as without the
# preload, and the record says why and has all calls up to there.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$out/endings
cp "$1" "$program"
trap 'end_left; rm -rf "$out"' EXIT
# No other record than that of the end.
export BCS_MODE=observe BCS_SAVE=0

# calls_of FILE: how many of MPI_Iprobe.
calls_of() {
	table "$1" cells "call count" |
		awk '$1 == "MPI_Iprobe" { n += $2 } END { print n + 0 }'
}

# ending RANKS HOW REASON: as rank 0 ends.
ending() {
	forget
	status native "$1" "$program" "$2" "$out/file" </dev/null >/dev/null 2>&1
	as_native=$rc
	status observed "$1" "$program" "$2" "$out/file" </dev/null >/dev/null 2>&1
	[ "$rc" -eq "$as_native" ] || fail "$2: status $rc instead of $as_native"
	file=$(the_record)/rank-000000.gz
	[ -s "$file" ] || fail "$2: no record"
	reason=$(value "$file" reason)
	[ "$reason" = "$3" ] || fail "$2: ended with '$reason' instead of '$3'"
	[ "$(calls_of "$file")" -eq 5 ] || fail "$2: $(calls_of "$file") calls"
}

ending 1 fine finalize
ending 1 exit exit
ending 1 _exit exit
ending 2 abort abort
ending 2 error abort
ending 1 truncated abort
ending 1 handled_beside abort
ending 1 segv "signal%2011"
ending 1 signal6 "signal%206"
ending 1 signal15 "signal%2015"
