#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What slices cost a transport sweep in the manner of SWEEP3D, by ranks.
# usage: tools/bench.sh sweep [--repetitions N] [PART]...
# PART: blocking, nonblocking; both by default: figures 6.2 and 6.3 of the
# BCS-MPI paper, where fixed/native is 1.3 and at most 1.  Runs alternate;
# seconds, medians of N (5).  "polite" is MPICH with BCS_POLITE=on; plain MPICH is
# run once where ranks outnumber cores.  d/n, d/p, f/n: demand/native,
# demand/polite, fixed/native.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=300

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/figure.sh
. "$root/benchmarks/lib/figure.sh"
arguments "blocking nonblocking" "$@"

about
for part in $parts; do
	figure "s, 64 x 64 x 64, $part" "$programs/sweep" "$part"
done
