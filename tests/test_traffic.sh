#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_traffic.sh PROGRAM MODE SEEDS
# Messages of all kinds (programs/traffic.c) arrive as they should, however they
# are run; every seed at 1 to 5 ranks.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
export BCS_MODE="$2"
for seed in $(seq "$3"); do
	for n in 1 2 3 5; do
		observed "$n" "$program" "$seed" 6 >"$out/stdout"
		grep -q ' 0 errors' "$out/stdout" ||
			fail "seed $seed, $n ranks: $(cat "$out/stdout")"
	done
done
