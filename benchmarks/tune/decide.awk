# SPDX-License-Identifier: BSD-3-Clause
# What times of several launches decide.  Input: lines RANKS COLLECTIVE BYTES ALGORITHM
# SECONDS; `mpi` is the library's default.  A is faster than B if the upper quartile
# of A's launches is below the lower quartile of B's, and its median by 5 % at least.
# what=open: algorithms that may still be the best, as lines RANKS COLLECTIVE BYTES
# ALGORITHM.  what=csv, what=rules: measurements for `bcs tree`, the medians; in rules,
# an algorithm that is not faster than the default takes as long as that at least.
# what=best: RANKS COLLECTIVE BYTES ALGORITHM, which the rules give.
# An algorithm may be NAME+SEGMENT.
# Variables: least, launches before something is decided; library, of the CSV; weights, a
# file of lines COLLECTIVE BYTES CALLS: what takes less than a hundredth of the time of
# all these calls is not open.

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

# All that the fastest does not beat, unless it is alone.
function open_cell(cell,    i, key, best, left, many) {
	if (!matters(cell))
		return
	best = fastest(cell, 0)
	for (i = 1; i <= n_algorithms; i++) {
		key = cell SUBSEP algorithms[i]
		if (key in n && (key == best || !faster(best, key))) {
			left[algorithms[i]]
			many++
		}
	}
	for (i in left)
		if (many > 1)
			show(cell, i)
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
	for (c = 1; c <= n_cells; c++)
		add_share(cells[c])
	for (c = 1; c <= n_cells; c++)
		if (what == "open")
			open_cell(cells[c])
		else if (what == "best")
			show(cells[c], name_of(fastest(cells[c], 1)))
		else
			put_cell(cells[c])
}
