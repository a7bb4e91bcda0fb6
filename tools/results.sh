#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tools/results.sh NAME...
# Runs benchmarks and puts what they print into docs/results.md, each into the section
# of its name and arguments (options aside).  Arguments go with a name:
# tools/results.sh "coll --repetitions 3 crowd" replaces the section "coll crowd".
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
page=$root/docs/results.md

[ $# -gt 0 ] || {
	sed -n 's/^# usage: /usage: /p' "$0" >&2
	exit 2
}
section=$(mktemp)
trap 'rm -f "$section" "$section.page"' EXIT

# put: the section in place of the one of its name, or at the end.
put() {
	awk -v name="$1" -v section="$section" '
	function show(    line) {
		while ((getline line < section) > 0)
			print line
		shown = 1
	}
	/^## / {
		inside = substr($0, 4) == name
		if (inside)
			show()
	}
	!inside { print }
	inside && /^## / { next }
	END { if (!shown) { print ""; show() } }' "$page" >"$section.page"
	cat -s "$section.page" >"$page"
}

sh "$root/tools/deps.sh" build bench >&2
sh "$root/tools/build.sh" >&2
for benchmark; do
	title=$(echo "$benchmark" | sed 's/ --[a-z-]* [^ ]*//g')
	{
		echo "## $title"
		echo
		echo "    \$ sh tools/bench.sh $benchmark"
		# shellcheck disable=SC2046 # arguments
		sh "$root/benchmarks/${benchmark%% *}/${benchmark%% *}.sh" \
			$(echo "$benchmark " | cut -d ' ' -f 2-) | sed 's/^\(.\)/    \1/'
		echo
	} >"$section"
	put "$title"
done
