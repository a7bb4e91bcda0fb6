#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_traffic.sh PROGRAM MODE SEEDS
# Messages of all kinds (programs/traffic.c) arrive as they should, however they
# are run; every seed at 1 to 5 ranks.  Where MPI carries them out, which is so
# for a process alone, too, there are no collectives between them: MPICH 4.0 does
# several of these wrong, with types whose elements lie apart and operations that
# do not commute.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
export BCS_MODE="$2"
for seed in $(seq "$3"); do
	for n in 1 2 3 5; do
		collectives=collectives
		[ "$n" -gt 1 ] && [ "$BCS_MODE" != observe ] || collectives=
		observed "$n" "$program" "$seed" 6 $collectives >"$out/stdout"
		grep -q ' 0 errors' "$out/stdout" ||
			fail "seed $seed, $n ranks: $(cat "$out/stdout")"
	done
done
