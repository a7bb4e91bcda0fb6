# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A model of this machine: . "$root/benchmarks/lib/fitted.sh", after lib/turns.sh.
# shellcheck disable=SC2154
ranges="256:4096:256 8192:65536:4096 98304:1048576:65536"

# measure FILE WHAT OPTION...: lines of mpib, of 2 ranks.
measure() {
	file=$1
	shift
	# shellcheck disable=SC2086 # several words
	timeout -k 5 "$limit" $mpiexec -n 2 "$programs/mpib_run" "$@" \
		--repetitions=100:200 --csv --error=0 --budget=0.1 >"$tmp/$file.csv" </dev/null
}

# fit: $tmp/here.system.
fit() {
	for range in $ranges; do
		measure "pairs-$range" pairs --sizes="$range"
	done
	for what in bcast gather alltoall; do
		measure "$what" $what --algorithm=mpi --sizes=0-1048576
	done
	"$bcs" model fit --save="$tmp/here.system" "$tmp"/*.csv >/dev/null
}
