#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How well the paper's formulas and others describe what mpib measures here.
# usage: tools/bench.sh model [--repetitions N] [OPERATION]...
# OPERATION: p2p, bcast, scatter, gather, alltoall, barrier; all of them by default.
# p2p with 2 ranks, collectives with 2 to 4, the barrier with 2 to 16; where ranks
# outnumber cores they give up the core while they wait (BCS_POLITE).  A time is the
# least of N (11) medians, for others who use the cores only add to it; rounds
# alternate, each with its sizes in an order of its own.  The measurements are left in
# results/model.csv, the system that was fitted in results/model.system.  R2 is that of
# sizes that were held out, beside what the paper's table 2 has for its three clusters
# of sizes that were fitted.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=11
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
arguments "p2p bcast scatter gather alltoall barrier" "$@"

# mpib RANKS WHAT ARGUMENT...: adds lines of CSV.
mpib() {
	ranks=$1
	shift
	set -- timeout -k 5 "$limit" mpiexec.mpich -n "$ranks" \
		"$programs/mpib_run" "$@" --csv --error=0 --budget=0.1
	if [ "$ranks" -gt "$(nproc)" ]; then
		set -- env BCS_MODE=observe BCS_MMDS=off BCS_POLITE=on \
			LD_PRELOAD="$preload" "$@"
	fi
	"$@" >"$tmp/one" 2>"$tmp/errors" || {
		cat "$tmp/errors" >&2
		echo "it failed: $*" >&2
		exit 1
	}
	sed 1d "$tmp/one" >>"$tmp/all"
}

# sizes RANKS WHAT ARGUMENT...: small, middling and large ones.  Not 0 bytes, which
# scatter and gather do not send; close ones where MPICH changes its ways.  The first
# dozens of messages of a run are slow, and would be half of a median of few.
sizes() {
	repeat=100:200
	[ "$1" -le "$(nproc)" ] || repeat=60:200
	for range in 256:12288:512 16384:65536:4096 98304:1048576:65536; do
		mpib "$@" --sizes=$range --repetitions=$repeat --shuffle \
			--seed="$round"
	done
}

# once OPERATION
once() {
	case $1 in
	p2p) sizes 2 pairs ;;
	barrier)
		for ranks in $(seq 2 16); do
			mpib "$ranks" barrier --repetitions=30:200
		done
		;;
	*)
		for ranks in 2 3 4; do
			sizes $ranks "$1" --algorithm=mpi
		done
		;;
	esac
}

# The least of each figure.
least() {
	echo collective,processes,bytes,algorithm,segment,seconds
	awk -F , '{ key = $1 "," $2 "," $3 "," $4 "," $5 }
		!(key in least) || $6 < least[key] { least[key] = $6 }
		END { for (key in least) print key "," least[key] }' "$tmp/all" |
		sort -t , -k 1,1 -k 2,2n -k 3,3n
}

# The paper's, by operation.
paper() {
	case $1 in
	p2p) echo 0.9996 0.9998 0.9996 ;;
	bcast) echo 0.9902 0.9688 0.9102 ;;
	scatter) echo 0.9643 0.9176 0.9668 ;;
	gather) echo 0.9620 0.9374 0.9823 ;;
	alltoall) echo 0.9296 0.7858 0.8384 ;;
	barrier) echo 0.7324 0.9223 0.8527 ;;
	esac
}

# show FILE WORDS: of the table of fits the operation, the model, whether it is the
# best, held-out R2, and the mean error of what was left out.
show() {
	printf '\n%s\n%-10s %-8s %-5s %12s %12s   %s\n' "$2" operation model "" \
		"held-out R2" "left out %" "bar: R2 of Galera+, Galera, KASK"
	"$bcs" model fit --csv "$1" 2>/dev/null | sed -n '2,/^$/s/"//gp' |
		while IFS=, read -r operation model best _ _ _ _ _ left _ _ held _; do
			[ -n "$operation" ] || continue
			bar=$(paper "$operation")
			printf '%-10s %-8s %-5s %12s %12s   %s\n' "$operation" \
				"$model" "$best" "$held" "$left" "$bar"
			result "$2: $operation, $model" best "$best" r2 "$held" \
				left_out_percent "$left" bar "$bar"
		done
}

about
for round in $(seq "$repetitions"); do
	for part in $parts; do
		once "$part"
	done
done
least >"$results/model.csv"
awk -F , -v cores="$(nproc)" 'NR == 1 || $1 == "barrier" || $2 <= cores' \
	"$results/model.csv" >"$tmp/few.csv"
show "$tmp/few.csv" "no more ranks than cores, but for barriers"
show "$results/model.csv" "2 to 4 ranks, barriers 2 to 16"
"$bcs" model fit --name="$(hostname)" --save="$results/model.system" \
	"$results/model.csv" >/dev/null 2>&1
echo "see also: bcs model fit --plot $results/model.csv"
