# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Options of benchmarks that choose ranks and sizes, after benchmarks/lib/places.sh.
# shellcheck disable=SC2154 # of places.sh

# wrong MESSAGE
wrong() {
	echo "$benchmark: $1" >&2
	exit 2
}

# numbers OPTION LIST LEAST: 1,2,3 as words, each at least LEAST.
numbers() {
	case $2 in
	'' | *[!0-9,]* | ,* | *, | *,,*) wrong "$1 takes numbers like 2,4, not '$2'" ;;
	esac
	for number in $(echo "$2" | tr , ' '); do
		if [ "${#number}" -gt 9 ] || [ "$number" -lt "$3" ]; then
			wrong "$1 takes numbers from $3 on, not $number"
		fi
		echo "$number"
	done
}

# one OPTION LIST LEAST: a single number.
one() {
	list=$(numbers "$@") || exit
	[ "$(echo "$list" | wc -w)" -eq 1 ] || wrong "$1 takes one number"
	echo "$list"
}

# parts_known "PART...": each of $parts has to be one of these.
parts_known() {
	for part in $parts; do
		case " $1 " in
		*" $part "*) ;;
		*) wrong "$part is none of $1" ;;
		esac
	done
}
