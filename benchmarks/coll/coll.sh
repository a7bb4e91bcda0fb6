#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What collectives cost in slices (BCS_MODE=demand), beside MPICH itself.
# usage: tools/bench.sh coll [--repetitions N] [PART]...
# PART: two, crowd, many, programs, jobs; all of them by default.  Runs to be
# compared alternate; medians of N (5) runs, where ranks outnumber cores of their
# means.  "polite" is MPICH with BCS_POLITE=on; plain MPICH is run once, for it
# takes milliseconds a call.  programs: tests of Debian's scalapack-mpi-test at 4
# ranks.  jobs: two of 2 ranks at once, against the sum of what each takes alone.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/jobs.sh
. "$root/benchmarks/lib/jobs.sh"
arguments "two crowd many programs jobs" "$@"

two() {
	heading "us a call, 2 ranks" native demand ratio unrecorded ratio bar
	for test in "barrier 0 0.5" "allreduce 8 0.5" "bcast 1024 0.9" \
		"bcast 65536 0.9" "bcast 1048576 0.9" "allreduce 1024 0.9" \
		"allreduce 65536 0.9" "allreduce 1048576 0.9" \
		"allgather 1024 0.9" "allgather 65536 0.9" \
		"allgather 1048576 0.9" "alltoall 1024 0.9" \
		"alltoall 65536 0.9" "alltoall 1048576 0.9"; do
		bar=${test##* }
		test=${test% *}
		turns "native demand bare" 2 "$programs/coll" 0.2 \
			"${test% *}" "${test#* }"
		median_and_least "${test% *}, ${test#* } bytes" "$bar"
	done
}

crowd() {
	heading "us a call, ranks beyond cores" polite demand ratio \
		unrecorded ratio bar
	for n in 4 8 16; do
		for test in "barrier 0" "allreduce 8"; do
			turns "polite demand bare" $n "$programs/coll" 0.3 \
				"${test% *}" "${test#* }"
			row "$test bytes, $n ranks" 0.8 "$(median polite 2)" \
				"$(median demand 2)" "$(median bare 2)"
			run native $n "$programs/coll" 0.3 "${test% *}" \
				"${test#* }"
			row "the same, plain MPICH" 0.002 \
				"$(median native 2)" "$(median demand 2)" \
				"$(median bare 2)"
		done
	done
}

many() {
	echo
	one=$(BCS_OUT=$tmp/record LD_PRELOAD=$preload timeout 300 mpiexec.mpich \
		-n 32 "$programs/coll" 1 barrier 0 | cut -d ' ' -f 2)
	echo "1000 barriers of 32 ranks: $(echo "$one" |
		awk '{ printf "%.2f", $1 / 1000 }') s (bar: seconds)"
}

# timed HOW PROGRAM: its seconds are a row of $tmp/HOW.
timed() {
	mode=demand
	polite=auto
	[ "$1" != polite ] || mode=observe polite=on
	set -- "$1" timeout -k 5 "$limit" mpiexec.mpich -n 4 "$2"
	how=$1
	shift
	if [ "$how" != native ]; then
		set -- env BCS_MODE=$mode BCS_POLITE=$polite \
			BCS_OUT="$tmp/record" LD_PRELOAD="$preload" "$@"
	fi
	seconds "$@" >>"$tmp/$how" || echo "$limit" >>"$tmp/$how"
	rm -rf "$tmp/record"
}

# application NAME PROGRAM
application() {
	rm -f "$tmp/native" "$tmp/polite" "$tmp/demand"
	timed native "$2"
	for _ in $(seq "$repetitions"); do
		timed polite "$2"
		timed demand "$2"
	done
	echo "$(median native) $(median polite) $(median demand)" |
		awk -v name="$1" -v limit="$limit" '{
			ratio = "-"
			if ($2 < limit && $3 < limit)
				ratio = sprintf("%.2f", $3 / $2)
			printf "%-34s %10.2f %10.2f %10.2f %7s  1.0\n",
				name, $1, $2, $3, ratio
		}'
}

applications() {
	folder=$(echo /usr/lib/*/scalapack/mpich-tests)
	if [ ! -x "$folder/xdlu" ]; then
		echo "skipped: ScaLAPACK (package scalapack-mpi-test)"
		return
	fi
	printf '\n%-34s %10s %10s %10s %7s  %s\n' \
		"s, 4 ranks; 60: did not end" native polite demand ratio bar
	limit=60
	cd "$folder"
	for program in xdlu xdqr xdllt; do
		application "$program" "./$program"
	done
	# It has no end by chance only where it estimates condition numbers,
	# which the last line of its input asks for.
	sed '$s/^T/F/' LLT.dat >"$tmp/LLT.dat"
	cd "$tmp"
	application "xdllt, nothing estimated" "$folder/xdllt"
}

about
for part in $parts; do
	case $part in
	programs) (applications) ;;
	jobs) (jobs demand 1.15) ;;
	*) ($part) ;;
	esac
done
