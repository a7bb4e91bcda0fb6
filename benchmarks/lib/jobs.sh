# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Two jobs of 2 ranks at once: . "$root/benchmarks/lib/jobs.sh", after lib/turns.sh.
# shellcheck disable=SC2154

# seconds COMMAND...: how long it takes.
seconds() {
	begin=$(date +%s.%N)
	"$@" >/dev/null 2>&1 || return 1
	echo "$(date +%s.%N) $begin" | awk '{ printf "%.3f\n", $1 - $2 }'
}

job() {
	timeout -k 5 "$limit" mpiexec.mpich -n 2 "$programs/job" 2000
}

# together: two jobs at once.
together() {
	job &
	other=$!
	job
	wait "$other"
}

jobs_of() {
	if [ "$1" != native ]; then
		export LD_PRELOAD="$preload" BCS_MODE="$1" BCS_OUT="$tmp/record"
	fi
	seconds "$2" >>"$tmp/$1.$2"
}

# jobs MODE BAR: beside native.
jobs() {
	printf '\n%-34s %10s %10s  %s\n' "two jobs of 2 ranks at once" native \
		"$1" bar
	for _ in $(seq "$repetitions"); do
		for how in native "$1"; do
			(jobs_of "$how" job)
			(jobs_of "$how" together)
		done
	done
	printf '%-34s' "together / the sum of each alone"
	for how in native "$1"; do
		echo "$(median "$how.together") $(median "$how.job")" |
			awk '{ printf " %10.3f", $1 / (2 * $2) }'
	done
	echo "  $2"
}
