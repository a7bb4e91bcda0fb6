# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# `bcs bench mpi run`: any measurement of mpib_run, in one launch or in several.
# shellcheck disable=SC2154 # of mpi.sh

# wrong MESSAGE
wrong() {
	echo "mpi run: $1" >&2
	exit 2
}

# number OPTION VALUE
number() {
	case $2 in
	'' | *[!0-9]* | 0*) wrong "$1 takes a number from 1 on, not '$2'" ;;
	esac
	[ "${#2}" -lt 7 ] || wrong "$1 takes a number from 1 on, not '$2'"
	echo "$2"
}

# launches [OPTION]... WHAT [OPTION OF mpib_run]...
launches() {
	ranks=2 count=1 output=
	while [ $# -gt 0 ]; do
		case $1 in
		--ranks=* | --launches=* | --output=* | --launcher=*)
			value=${1#*=} option=${1%%=*}
			shift
			set -- "$option" "$value" "$@"
			;;
		--ranks | --launches | --output | --launcher)
			[ $# -ge 2 ] || wrong "$1 takes a value"
			case $1 in
			--ranks) ranks=$(number "$1" "$2") ;;
			--launches) count=$(number "$1" "$2") ;;
			--output) output=$2 ;;
			--launcher) mpiexec=$2 ;;
			esac
			shift 2
			;;
		*) break ;;
		esac
	done
	[ $# -gt 0 ] || wrong "WHAT is to be measured? (--help)"
	if [ "$count" -eq 1 ]; then
		[ -z "$output" ] || wrong "--output is of several --launches"
		launch_one "$@"
	else
		launch_all "$@"
	fi
}

launch_one() {
	# shellcheck disable=SC2086 # several words
	$mpiexec -n "$ranks" "$programs/mpib_run" "$@" </dev/null
}

# launch_all ARGUMENT...: with a seed of its own each, for --shuffle.
launch_all() {
	mkdir -p "$results"
	: "${output:=$results/mpi-run.csv}"
	: >"$output"
	# A signal's own trap would still write to where a launch writes.
	trap '[ ! -s "$output" ] || launches_show; rm -rf "$tmp"' EXIT
	for launch in $(seq "$count"); do
		launch_one --csv --seed="$launch" "$@" >"$tmp/launch" || exit 2
		awk -v launch="$launch" 'NR > 1 || launch == 1 {
			print $0 "," (NR == 1 ? "launch" : launch) }' \
			"$tmp/launch" >>"$output"
	done
}

# launches_show: a line for each figure, of the launches so far.
launches_show() {
	printf '%-20s %-20s %5s %9s %8s %11s %11s %11s %8s\n' what algorithm ranks \
		bytes launches "median(us)" least most "spread%"
	sed 1d "$output" | sort -t , -k 1,1 -k 4,4 -k 3,3n -k 6,6g | awk -F , '
	function show(    median) {
		if (!n)
			return
		median = (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
		printf "%-20s %-20s %5d %9d %8d %11.3f %11.3f %11.3f %8.1f\n",
			key[1], key[4], key[2], key[3], n, median, v[1], v[n],
			(median > 0 ? (v[n] - v[1]) / median * 100 : 0)
	}
	$1 != key[1] || $4 != key[4] || $3 != key[3] {
		show()
		split($0, key, ",")
		n = 0
	}
	{ v[++n] = $6 * 1e6 }
	END { show() }'
	echo "all launches: $output; bcs diff tests two such files"
}
