# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs that are compared alternate: . "$root/benchmarks/lib/turns.sh", with
# $root, $repetitions and $limit (seconds for a run) set; then `arguments`.
# shellcheck disable=SC2154

# shellcheck source=benchmarks/lib/places.sh
. "$root/benchmarks/lib/places.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# arguments "PART..." [--repetitions N] [PART]...: $repetitions, and $parts of
# these, by default all.
arguments() {
	known=$1
	shift
	case ${1-} in
	-h | --help)
		sed -n '3,/^set /s/^# //p' "$0"
		exit 0
		;;
	esac
	case ${1-}=${2-} in
	--repetitions= | --repetitions=0 | --repetitions=*[!0-9]*) usage ;;
	--repetitions=*)
		repetitions=$2
		shift 2
		;;
	esac
	parts=${*:-$known}
	for part in $parts; do
		case " $known " in
		*" $part "*) ;;
		*) usage ;;
		esac
	done
}

usage() {
	sed -n 's/^# usage: /usage: /p' "$0" >&2
	exit 2
}

# run HOW RANKS PROGRAM...: native, polite, demand or fixed; demand with nothing on
# record (bare), slices alone (emds), or both (both); fixed with slices on record, too
# (rows).  A row of $tmp/HOW is its output.
run() {
	how=$1
	ranks=$2
	shift 2
	mode=$how
	mmds=on
	emds=off
	polite=auto
	case $how in
	polite) mode=observe polite=on ;;
	bare) mode=demand mmds=off ;;
	emds) mode=demand mmds=off emds=on ;;
	both) mode=demand emds=on ;;
	rows) mode=fixed emds=on ;;
	esac
	# shellcheck disable=SC2086 # several words
	set -- timeout -k 5 "$limit" $mpiexec -n "$ranks" "$@"
	if [ "$how" != native ]; then
		set -- env BCS_MODE="$mode" BCS_MMDS=$mmds BCS_EMDS=$emds \
			BCS_POLITE=$polite BCS_OUT="$tmp/record" LD_PRELOAD="$preload" "$@"
	fi
	"$@" >>"$tmp/$how" 2>"$tmp/errors" || {
		status=$?
		cat "$tmp/errors" >&2
		echo "status $status of: $*" >&2
		exit 1
	}
	rm -rf "$tmp/record"
}

# turns "HOW..." RANKS PROGRAM...: each as often as there are repetitions.
turns() {
	hows=$1
	shift
	for how in native polite demand fixed bare emds both rows; do
		rm -f "$tmp/$how"
	done
	for _ in $(seq "$repetitions"); do
		for how in $hows; do
			run "$how" "$@"
		done
	done
}

# median HOW [COLUMN]
median() {
	awk -v column="${2-1}" '{ print $column }' "$tmp/$1" | sort -n |
		awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}

# least HOW [COLUMN]
least() {
	awk -v column="${2-1}" '{ print $column }' "$tmp/$1" | sort -n | head -n 1
}

# paired HOW: the median of its ratios to native's, turn by turn.
paired() {
	paste -d ' ' "$tmp/$1" "$tmp/native" |
		awk '{ print $1 / $(NF / 2 + 1) }' | sort -n |
		awk '{ ratio[NR] = $1 } END { print ratio[int((NR + 1) / 2)] }'
}

# median_and_least LABEL BAR: medians of native, demand and bare, and the least of each.  Small
# messages can have two speeds, MPICH's too, for seconds at a time, as where a virtual machine's
# cores come to lie; a median is of the one or the other then.  So the ratios are not those of
# the medians: they are medians of the ratios of runs that came one after the other.
median_and_least() {
	row "$1" "$2" "$(median native)" "$(median demand)" "$(median bare)" \
		"$(paired demand)" "$(paired bare)"
	row "$1, least" "" "$(least native)" "$(least demand)" "$(least bare)"
}

# row LABEL BAR BASE VALUE [BARE [RATIO RATIO]]: and the ratios to BASE, where none are given.
row() {
	echo "$1|$2|$3|$4|${5-}|${6-}|${7-}" | awk -F '|' '
	function ratio(value, given) {
		given = given == "" ? value / $3 : given
		return sprintf("%10.3f %7.*f", value, given < 0.1 ? 4 : 2, given)
	}
	{
		printf "%-34s %10.3f %s %s  %s\n", $1, $3, ratio($4, $6),
			$5 == "" ? sprintf("%10s %7s", "", "") : ratio($5, $7), $2
	}'
	result "$heading: $1" base "$3" value "$4" unrecorded "${5-}" \
		ratio "${6-}" bar "$2"
}

heading() {
	heading=$1
	printf '\n%-34s %10s %10s %7s %10s %7s  %s\n' "$@"
}

# about: the machine, in a line; results begin.
about() {
	results_begin
	echo "$(uname -sr), $(nproc) cores, $(mpi_name) $(mpi_version), load before:" \
		"$(cut -d ' ' -f 1 /proc/loadavg), medians of $repetitions"
}
