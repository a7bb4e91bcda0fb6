#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tools/bench.sh [NAME [ARGUMENT]...]
# Builds, then runs a benchmark: benchmarks/NAME/NAME.sh, listed without NAME.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

list() {
	for script in "$root"/benchmarks/*/*.sh; do
		name=${script##*/}
		[ "$script" = "$root/benchmarks/${name%.sh}/$name" ] || continue
		# The second line of a benchmark says what it measures.
		echo "${name%.sh}: $(sed -n '3s/^# //p' "$script")"
	done
}

case ${1:--h} in
-h | --help)
	list
	exit 0
	;;
esac
script=$root/benchmarks/$1/$1.sh
if [ ! -f "$script" ]; then
	echo "bench.sh: no benchmark '$1'; there are:" >&2
	list >&2
	exit 2
fi
shift
sh "$root/tools/deps.sh" build bench >&2
sh "$root/tools/build.sh" >&2
exec sh "$script" "$@"
