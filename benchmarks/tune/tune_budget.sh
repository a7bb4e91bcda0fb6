# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# How a budget of seconds is spent, and what is kept if it ends early.
# shellcheck disable=SC2034,SC2154 # of tune.sh

begin=$(date +%s)
stage=   # of what a signal interrupts: measuring, comparing; empty: nothing yet
round=0
turn=0
enough=0 # seconds of a budget for a decision on each point

# left SHARE: whether less than that many hundredths of the budget are spent.
left() {
	[ $((($(date +%s) - begin) * 100)) -lt $((budget * $1)) ]
}

now() {
	echo $(($(date +%s%N) / 1000000)) # ms
}

# weigh_starts: $starts, the ms that the launches of a round take without figures.
weigh_starts() {
	starts=0
	use ""
	for n in $ranks; do
		began=$(now)
		launch "$n" barrier:0 >"$tmp/launch"
		starts=$((starts + ($(now) - began) * (settings + 1)))
	done
}

# plan BEGAN FIGURES: after a round that began then and had so many figures, what the next
# ones measure.  The first round tells what a figure takes: a later one has too few.  A
# tenth of the time is left for rounds that take longer.
plan() {
	if [ $enough -eq 0 ]; then
		figure=$((($(now) - $1 - starts) / $2))
		[ $figure -gt 0 ] || figure=1
		enough=$((($(now) - $1) * least / 600 + 1))
	fi
	decide csv >"$results/tune.csv"
	decide open -v figure="$figure"e-3 -v round="$starts"e-3 \
		-v seconds="$((begin * 1000 + budget * 600 - $(now)))"e-3 \
		>"$tmp/open"
}

# decided: a line on what was measured; $tmp/open is those points that can be decided.
decided() {
	# shellcheck disable=SC2046 # three numbers
	set -- $(decide points)
	echo "measured in $round rounds, $(wc -l <"$tmp/times") figures: $2 of $1 points" \
		"have the $least launches of a decision, $3 of them are unsure"
	rm -f "$tmp/open"
	[ "$2" -lt "$1" ] || return 0
	decide decided >"$tmp/open"
	[ "$enough" -eq 0 ] ||
		echo "For all of them, --budget $enough would do; or name fewer collectives."
}

# keep STATUS: at the end, what is there already, where something cut it short.
keep() {
	trap '' INT TERM HUP
	set +e
	[ "$1" -ne 0 ] && [ -n "$stage" ] && [ -s "$tmp/times" ] || return 0
	echo
	echo "Ended early.  The measurements are in $results/tune.csv."
	if [ "$stage" = comparing ]; then
		echo "The tuning file was compared with the default in $turn turns."
		[ "$turn" -eq 0 ] || { gains && show; }
		how_to_use
		return
	fi
	decided
	decide csv >"$results/tune.csv"
	decide best >"$tmp/best"
	if grep -qv ' mpi$' "$tmp/best"; then
		make_rules
		echo "The tuning file was not compared with the default."
		how_to_use
	else
		echo "Nothing is surely faster yet: no tuning file."
	fi
}
