#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What power this machine takes by busy threads, as CSV for `bcs model fit`, by RAPL.
# usage: tools/bench.sh power [--seconds=S] [--repetitions=N] [--powercap=FOLDER]
# Each figure is of S seconds (2), N (3) of each number of threads, which alternate.  Where
# there is no RAPL (FOLDER, /sys/class/powercap), measurements of a meter take its place:
# lines THREADS and WATTS behind operation,threads,watts.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=benchmarks/lib/places.sh
. "$root/benchmarks/lib/places.sh"

case ${1-} in
-h | --help)
	sed -n '3,/^set /s/^# //p' "$0"
	exit 0
	;;
esac
exec "$programs/power" "$@"
