#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How many operations the simulator does in a second of one processor.
# usage: tools/bench.sh simulate [--repetitions N]
# Processes in a ring that compute, exchange messages without blocking and meet now
# and then; medians of N (5) runs.  By application: the same in Lua.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=60

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "all" "$@"

about
printf '\n%-10s %12s %12s\n' processes operations "million/s"
for processes in 4 1000 100000; do
	: >"$tmp/rows"
	for _ in $(seq "$repetitions"); do
		timeout "$limit" "$programs/simulate" $processes >>"$tmp/rows"
	done
	printf '%-10s %12s %12s  bar: 1\n' $processes "$(median rows 2)" \
		"$(median rows 3)"
	result simulate processes $processes operations "$(median rows 2)" \
		million_per_second "$(median rows 3)"
done
