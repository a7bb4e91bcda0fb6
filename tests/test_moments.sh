#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_moments.sh PROGRAM
# The first moments of PROGRAM (programs/moments.c): what costs a program with
# threads 20 ms is done while it has one.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
export BCS_MODE=demand
for n in 1 2; do
	observed $n "$program" threads >"$out/threads"
	[ "$(sort -u "$out/threads")" = 1 ] ||
		fail "$n ranks register with $(cat "$out/threads") threads"
done
