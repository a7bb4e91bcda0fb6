#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tunes the collectives of MPICH or Open MPI for this machine, and shows the gains.
# usage: tools/bench.sh tune [OPTION]... [COLLECTIVE]...
# COLLECTIVE: bcast, reduce, allreduce, allgather, alltoall, barrier, reduce_scatter,
# reduce_scatter_block; with Open MPI gather and scatter, too; all by default.
#   --budget SECONDS     for all of it (120); a third, at most, is for the comparison
#   --ranks N,N...       sizes of MPI_COMM_WORLD (2, 4, 8 ... up to the cores)
#   --bytes N,N...       sizes of messages (8 to 1 MiB, each eight times as many)
#   --weight RECORD      of an application: its collectives, sizes and ranks are
#                        measured, and mostly those that take most of its time
#   --launcher COMMAND   before -n (mpiexec.mpich or mpiexec.openmpi), such as
#                        'mpiexec.mpich -hosts a,b'
# The MPI is the one that bcs was built with (meson -Dmpi).
# Forces each of its algorithms in turn by a tuning file, for all collectives of a
# launch, in random orders.  A decision takes six launches.  Where there is no time for
# all, it takes the points that promise most after the first, and tells what is enough.
# From the sixth launch on only what is unsure is measured.
# Where an algorithm is surely faster than the default, by 5 % at least, the tuning
# file that `bcs tree` makes takes it.  Then launches with the file and without it
# alternate.  ./results (BCS_RESULTS) has the file, tune-mpich.json or
# tune-openmpi.rules, and the measurements, tune.csv; Ctrl-C keeps what there is.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$(cd "$(dirname "$0")" && pwd)
repetitions=
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/options.sh
. "$root/benchmarks/lib/options.sh"
# shellcheck source=benchmarks/tune/tune_mpich.sh
. "$here/tune_$mpi.sh"
# shellcheck source=benchmarks/tune/tune_show.sh
. "$here/tune_show.sh"
# shellcheck source=benchmarks/tune/tune_weight.sh
. "$here/tune_weight.sh"
# shellcheck source=benchmarks/tune/tune_budget.sh
. "$here/tune_budget.sh"

budget=120
ranks=
record=
bytes=8,64,512,4096,32768,262144,1048576
given= # --bytes, if it was
least=6         # launches before something is decided
turns_most=40   # of the comparison
cell=0.02       # seconds for a figure of a launch
tuning=$results/tune-$mpi.$suffix

while [ $# -gt 0 ]; do
	case $1 in
	-h | --help) arguments "" --help ;;
	--*=*)
		value=${1#*=} option=${1%%=*}
		shift
		set -- "$option" "$value" "$@"
		;;
	--budget | --ranks | --bytes | --weight | --launcher)
		[ $# -ge 2 ] || wrong "$1 takes a value"
		case $1 in
		--budget) budget=$(one "$1" "$2" 1) ;;
		--ranks) ranks=$(numbers "$1" "$2" 2) ;;
		--bytes) bytes=$2 given=$1 ;;
		--weight) record=$2 ;;
		--launcher) mpiexec=$2 ;;
		esac
		shift 2
		;;
	-*) wrong "no option $1; see --help" ;;
	*) break ;;
	esac
done
[ -z "$given" ] || [ -z "$record" ] || wrong "--bytes or --weight, not both"
bytes=$(numbers --bytes "$bytes" 1)
parts=${*:-$collectives}
parts_known "$collectives"
[ -z "$record" ] || weigh
[ -n "$ranks" ] || ranks=$(awk -v most="$(nproc)" 'BEGIN {
	for (n = 2; n < most; n *= 2)
		print n
	print (most > 1 ? most : 2) }')
version=$(mpi_version 2>/dev/null || true)
[ -n "$version" ] || wrong "this needs $library, which is not found"

# cells RANKS SETTING: COLLECTIVE:BYTES, all that are to be measured.
cells() {
	for collective in $parts; do
		name=mpi
		[ "$2" -eq 0 ] || name=$(algorithm "$collective" "$2")
		[ -n "$name" ] || continue
		for size in $(sizes "$collective"); do
			applies "$name" "$1" "$size" || continue
			[ ! -f "$tmp/open" ] ||
				grep -qx "$1 $collective $size $name" "$tmp/open" ||
				continue
			echo "$collective:$size"
		done
	done
}

seed=0

# launch RANKS CELL...: lines of the program; the environment says how.
launch() {
	n=$1
	shift
	seed=$((seed + 1))
	# shellcheck disable=SC2086 # several words
	timeout -k 5 "$limit" $mpiexec -n "$n" "$programs/tune" $seed $cell "$@" \
		</dev/null 2>"$tmp/errors" && return
	sed 1q "$tmp/errors" >&2
	wrong "the launch of $n ranks failed: $mpiexec"
}

# method NAME: ALGORITHM,SEGMENT of ALGORITHM or ALGORITHM+SEGMENT.
method() {
	case $1 in
	*+*) echo "${1%+*},${1#*+}" ;;
	*) echo "$1,0" ;;
	esac
}

# file_of SETTING: makes the tuning file that forces its algorithms for all sizes.  With
# variables such as MPIR_CVAR_BCAST_INTRA_ALGORITHM MPICH would not choose at all, which
# saves a call of some bytes a tenth of its time.
file_of() {
	{
		echo collective,processes,bytes,algorithm,segment,seconds,library
		for collective in $parts; do
			name=$(algorithm "$collective" "$1")
			[ -z "$name" ] || for size in 0 1; do
				echo "$collective,2,$size,$(method "$name"),1,$mpi"
			done
		done
	} >"$tmp/forced.csv"
	[ "$(wc -l <"$tmp/forced.csv")" -eq 1 ] ||
		"$bcs" tree --emit="$mpi" "$tmp/forced.csv" >"$tmp/setting-$1"
}

# forced RANKS SETTING: measures under a setting.
forced() {
	words=$(cells "$1" "$2")
	[ -n "$words" ] || return 0
	file=
	[ "$2" -eq 0 ] || file=$tmp/setting-$2
	use "$file"
	# shellcheck disable=SC2086 # several words
	launch "$1" $words >"$tmp/launch"
	while read -r collective size seconds; do
		name=mpi
		[ "$2" -eq 0 ] || name=$(algorithm "$collective" "$2")
		echo "$1 $collective $size $name $seconds"
	done <"$tmp/launch" >>"$tmp/times"
}

# decide WHAT [-v NAME=VALUE]...
decide() {
	what=$1
	shift
	awk -v what="$what" -v least=$least -v library="$mpi $version" "$@" \
		-v weights="$weights" -f "$here/decide.awk" "$tmp/times"
}

# A round has each number of ranks with each setting once, in a random order.
measure() {
	for setting in $(seq $settings); do
		file_of "$setting"
	done
	weigh_starts
	stage=measuring
	while [ $round -lt $least ] || left 66; do
		began=$(now)
		before=$(wc -l <"$tmp/times")
		for n in $ranks; do
			for setting in $(seq 0 $settings); do
				echo "$n $setting"
			done
		done | shuf >"$tmp/round"
		while read -r n setting; do
			[ $round -lt $least ] || left 66 || break
			forced "$n" "$setting" </dev/null
		done <"$tmp/round"
		round=$((round + 1))
		plan "$began" $(($(wc -l <"$tmp/times") - before))
		[ -s "$tmp/open" ] || break
	done
}

# make_rules: the tuning file.  A barrier, and what has one size, is a point for each number
# of ranks: twice, for a tree.
make_rules() {
	decide csv >"$results/tune.csv"
	decide rules | awk -F , -v OFS=, '
	{
		print
		row[NR] = $0
		if (!(($1, $3) in seen))
			sizes[$1]++
		seen[$1, $3]
	}
	END {
		for (i = 2; i <= NR; i++) {
			$0 = row[i]
			if (sizes[$1] > 1)
				continue
			$3++
			print
		}
	}' >"$tmp/rules.csv"
	"$bcs" tree --emit="$mpi" "$tmp/rules.csv" >"$tuning"
}

# compare: lines HOW RANKS COLLECTIVE BYTES SECONDS, by turns.
compare() {
	stage=comparing
	while [ $turn -lt $least ] || { [ $turn -lt $turns_most ] && left 100; }; do
		for n in $ranks; do
			words=$(cells "$n" 0)
			[ -n "$words" ] || continue
			for how in $(printf 'default\ntuned\n' | shuf); do
				file=
				[ "$how" = default ] || file=$tuning
				use "$file"
				seed=$turn
				# shellcheck disable=SC2086 # several words
				launch "$n" $words >"$tmp/launch"
				sed "s/^/$how $n /" "$tmp/launch" >>"$tmp/compared"
			done
		done
		turn=$((turn + 1))
	done
}

results_begin
: >"$tmp/times"
trap 'keep $?; rm -rf "$tmp"' EXIT
echo "$(uname -sr), $(nproc) cores, $library $version, load before:" \
	"$(cut -d ' ' -f 1 /proc/loadavg), budget $budget s"
measure
decided
decide best >"$tmp/best"
if ! grep -qv ' mpi$' "$tmp/best"; then
	echo "nothing is surely faster than what $library takes by itself: no tuning file"
	exit 0
fi
make_rules
compare
stage=
gains
show
show_weighted
echo
how_to_use
