#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_aside.sh PROGRAM
# Collectives that were begun go on while the program is in a call of MPI's own, in
# one level and in two.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

for how in A=1 BCS_NODE_SIZE=3 BCS_REDUCE=binomial:128K; do
	for mode in demand fixed; do
		export "${how?}" BCS_MODE=$mode
		observed 6 "$1" >"$out/stdout" || fail "$how, $mode: no end"
		[ "$(cat "$out/stdout")" = "0 errors" ] ||
			fail "$how, $mode: $(cat "$out/stdout")"
		unset "${how%=*}"
	done
done
