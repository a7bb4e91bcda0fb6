# SPDX-License-Identifier: BSD-3-Clause
# What times of several launches decide.  Input: lines RANKS COLLECTIVE BYTES ALGORITHM
# SECONDS; `mpi` is the library's default.  A is faster than B if the upper quartile
# of A's launches is below the lower quartile of B's, and its median by 5 % at least.
# what=open: algorithms to measure next, as lines RANKS COLLECTIVE BYTES ALGORITHM: of
# points with too few launches for a decision, as many as can have them in `seconds`,
# and first those that promise most.  If none can, those that may still be the best.
# what=points: how many points are there, can be decided, and are unsure.  what=decided:
# RANKS COLLECTIVE BYTES mpi of those that can be.  what=csv, what=rules: measurements for `bcs tree`, the medians; in rules,
# an algorithm that is not faster than the default takes as long as that at least.
# what=best: RANKS COLLECTIVE BYTES ALGORITHM, which the rules give.
# An algorithm may be NAME+SEGMENT.
# Variables: least, launches before something is decided; library, of the CSV; weights, a
# file of lines COLLECTIVE BYTES CALLS: what takes less than a hundredth of the time of
# all these calls is not open.  seconds, that are left (none: enough for all); figure and
# round, seconds of a figure and of the starts of a round.

function quantile(key, share,    at, low, high) {
	at = 1 + share * (n[key] - 1)
	low = value[key, int(at)]
	high = value[key, int(at) + (at > int(at))]
	return low + (at - int(at)) * (high - low)
}

function sort_values(key,    i, j, v) {
	for (i = 2; i <= n[key]; i++) {
		v = value[key, i]
		for (j = i - 1; j > 0 && value[key, j] > v; j--)
			value[key, j + 1] = value[key, j]
		value[key, j + 1] = v
	}
}

function faster(a, b) {
	return n[a] >= least && n[b] >= least &&
		quantile(a, .75) < quantile(b, .25) &&
		quantile(a, .5) < .95 * quantile(b, .5)
}

# The fastest of a cell, by medians; only among those that beat the default, or all.
function fastest(cell, surely,    i, key, best) {
	best = cell SUBSEP "mpi"
	if (!(best in n) && surely)
		return ""
	for (i = 1; i <= n_algorithms; i++) {
		key = cell SUBSEP algorithms[i]
		if (!(key in n) || (surely && !faster(key, cell SUBSEP "mpi")))
			continue
		if (!(best in n) || quantile(key, .5) < quantile(best, .5))
			best = key
	}
	return best
}

function put(cell, algorithm, seconds,    part, name) {
	split(cell, part, SUBSEP)
	split(algorithm, name, "+")
	printf "%s,%d,%d,%s,%d,%.9f,%s,%s\n", part[2], part[1], part[3], name[1],
		name[2], seconds, library, algorithm == "mpi" ? "default" : "forced"
}

function put_cell(cell,    i, key, seconds, standard) {
	standard = cell SUBSEP "mpi"
	for (i = 1; i <= n_algorithms; i++) {
		key = cell SUBSEP algorithms[i]
		if (!(key in n))
			continue
		seconds = quantile(key, .5)
		if (what == "rules" && key != standard && !faster(key, standard) &&
		    seconds <= quantile(standard, .5))
			seconds = quantile(standard, .5) * 1.000001 + 1e-9
		put(cell, algorithms[i], seconds)
	}
}

function name_of(key,    part) {
	split(key, part, SUBSEP)
	return part[4]
}

function show(cell, algorithm,    part) {
	split(cell, part, SUBSEP)
	print part[1], part[2], part[3], algorithm
}

# What an application spends there, by the default.
function share(cell,    part) {
	if (!((cell SUBSEP "mpi") in n))
		return 0
	split(cell, part, SUBSEP)
	return calls[part[2], part[3]] * quantile(cell SUBSEP "mpi", .5)
}

function matters(cell,    part) {
	split(cell, part, SUBSEP)
	return weights == "" || share(cell) >= .01 * total[part[1]]
}

function add_share(cell,    part) {
	split(cell, part, SUBSEP)
	total[part[1]] += share(cell)
}

BEGIN {
	while (weights != "" && (getline line < weights) > 0) {
		split(line, words, " ")
		calls[words[1], words[2]] += words[3]
	}
}

# All that the fastest does not beat, unless it is alone: how many, in `left`.
function rivals(cell, left,    i, key, best, count) {
	best = fastest(cell, 0)
	for (i = 1; i <= n_algorithms; i++) {
		key = cell SUBSEP algorithms[i]
		if (key in n && (key == best || !faster(best, key))) {
			left[algorithms[i]]
			count++
		}
	}
	return count > 1 ? count : 0
}

function open_cell(cell,    i, left) {
	if (fewest[cell] >= least && matters(cell) && rivals(cell, left))
		for (i in left)
			show(cell, i)
}

# How many algorithms it has, and the launches of the one with fewest.
function count_cell(cell,    i, key) {
	many[cell] = 0
	for (i = 1; i <= n_algorithms; i++) {
		key = cell SUBSEP algorithms[i]
		if (key in n && (!many[cell]++ || n[key] < fewest[cell]))
			fewest[cell] = n[key]
	}
	gain[cell] = promise(cell)
	any_decided += fewest[cell] >= least
}

# What the fastest saves of the default, or of the application.
function promise(cell,    standard) {
	standard = cell SUBSEP "mpi"
	if (!(standard in n))
		return 0
	return (weights == "" ? 1 : share(cell)) * (1 - \
		quantile(fastest(cell, 0), .5) / quantile(standard, .5))
}

# The point with too few launches that is to have them first; "" after the last.
function next_begun(    c, cell, best) {
	for (c = 1; c <= n_cells; c++) {
		cell = cells[c]
		if (cell in taken || many[cell] < 2 || fewest[cell] >= least)
			continue
		if (best == "" || fewest[cell] > fewest[best] ||
		    (fewest[cell] == fewest[best] && gain[cell] > gain[best]))
			best = cell
	}
	return best
}

# Those that were begun, and more for which there is time, or the first; how many.
function open_begun(    cell, need, more, figures, rounds, i, count) {
	while ((cell = next_begun()) != "") {
		taken[cell]
		need = least - fewest[cell]
		if (need < rounds)
			need = rounds
		more = figures + many[cell] * (least - fewest[cell])
		if (seconds != "" && need * round + figure * more > seconds &&
		    fewest[cell] == 1 && (count || any_decided || seconds <= 0))
			continue
		figures = more
		rounds = need
		count++
		for (i = 1; i <= n_algorithms; i++)
			if ((cell SUBSEP algorithms[i]) in n)
				show(cell, algorithms[i])
	}
	return count
}

function points(    c, cell, left, all, decided, unsure) {
	for (c = 1; c <= n_cells; c++) {
		cell = cells[c]
		all += many[cell] > 1
		if (many[cell] < 2 || fewest[cell] < least)
			continue
		decided++
		split("", left)
		unsure += rivals(cell, left) > 0
	}
	print all + 0, decided + 0, unsure + 0
}

{
	cell = $1 SUBSEP $2 SUBSEP $3
	if (!(cell in seen)) {
		seen[cell]
		cells[++n_cells] = cell
	}
	if (!($4 in known)) {
		known[$4]
		algorithms[++n_algorithms] = $4
	}
	value[cell, $4, ++n[cell, $4]] = $5
}

END {
	for (key in n)
		sort_values(key)
	if (what == "csv" || what == "rules")
		print "collective,processes,bytes,algorithm,segment,seconds," \
			"library,choice"
	for (c = 1; c <= n_cells; c++) {
		add_share(cells[c])
		count_cell(cells[c])
	}
	if (what == "points")
		points()
	if (what == "points" || (what == "open" && open_begun()))
		exit
	for (c = 1; c <= n_cells; c++)
		if (what == "open")
			open_cell(cells[c])
		else if (what == "decided") {
			if (many[cells[c]] > 1 && fewest[cells[c]] >= least)
				show(cells[c], "mpi")
		} else if (what == "best")
			show(cells[c], name_of(fastest(cells[c], 1)))
		else
			put_cell(cells[c])
}
