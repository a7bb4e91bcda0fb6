#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: html_browser.sh
# Pages of `bcs html` in a browser, if Chromium is here: tools/deps.sh does not
# install it, since it takes 80 MB and most of a minute.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

browser=$(command -v chromium) || {
	echo "skipped: there is no chromium (apt-get install chromium)" >&2
	exit 77
}
solve_record solve.42.bcs
"$BCS_BUILD"/tests/cli/synth_slices fixed slices.bcs
cp slices.bcs/*.slices solve.42.bcs
cp -r solve.42.bcs other.bcs
"$BCS_BUILD"/tests/cli/synth_trace solve.42.bcs 3 20
solve_rank 1 4000000000 6000000000 >other.bcs/rank-000001.gz
"$BCS_BUILD"/tests/cli/synth_record many.bcs 300 40
"$bcs" html -o solve.html solve.42.bcs
"$bcs" html -o two.html solve.42.bcs : other.bcs
"$bcs" html -o many.html many.bcs
rc=0
python3 "$BCS_SOURCE/tests/cli/html_browser.py" "$browser" \
	solve.html two.html many.html || rc=$?
exit "$rc"
