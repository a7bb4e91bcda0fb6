#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# usage: corrbench.sh BUILD CORRBENCH [FOLDER...]
# Runs the C programs of MPI-CorrBench (github.com/tudasc/mpi-corrbench), of
# which CORRBENCH is a checkout, with MPI alone and under `bcs check`, with 2
# ranks.  Prints a line for each program and a table by class:
#
#   native  MPI itself said something, or the program failed
#   found   `bcs check` had a finding
#   class   the finding is of the class that the program's name tells
#   line    its place is a call of the function that the name tells
#   noise   findings of another class than the name tells
#   late    still running after 10 s
#
# The folders are pt2pt, coll, conflo/pt2pt, conflo/coll, correct/pt2pt and
# correct/coll, unless named.  BCS_STRICT and other settings are passed on.
set -eu

[ $# -ge 2 ] || {
	sed -n 's/^# usage: /usage: /p' "$0" >&2
	exit 2
}
build=$(realpath "$1")
suite=$(realpath "$2")/micro-benches/0-level
shift 2
[ -d "$suite/pt2pt" ] || {
	echo "corrbench.sh: $suite: no such folder" >&2
	exit 2
}
[ $# -gt 0 ] || set -- pt2pt coll conflo/pt2pt conflo/coll correct/pt2pt \
	correct/coll
limit=10
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

compile() {
	extra=
	case $1 in */correct/*) extra="-I$suite/correct/include" ;; esac
	# shellcheck disable=SC2086 # none or one
	mpicc.mpich -g -w $extra -o "$out/program" "$1" -lm 2>/dev/null
}

# What MPI itself has to say: error, crash, hang or silent.
native() {
	rc=0
	timeout -k 2 $limit mpiexec.mpich -n 2 "$out/program" \
		>"$out/native" 2>&1 </dev/null || rc=$?
	case $rc in
	0) echo silent ;;
	124 | 137) echo hang ;;
	*) echo error ;;
	esac
}

# "FINDING LINE" of each finding, or "late".
ours() {
	rm -rf "$out"/*.bcs
	rc=0
	(cd "$out" && timeout -k 2 $((limit + 10)) "$build/analyzer/bcs" check \
		--json -- timeout -k 2 $limit mpiexec.mpich -n 2 ./program \
		</dev/null >json 2>err) || rc=$?
	sed -n 's/^ *{"finding": "\([^"]*\)", "level": "\([^"]*\)".*"line": \([0-9]*\).*/\1 \3 \2/p
		t
		s/^ *{"finding": "\([^"]*\)", "level": "\([^"]*\)".*/\1 0 \2/p' \
		"$out/json"
	if grep -q 'status 124\|status 137' "$out/err"; then
		echo "late 0 error"
	fi
}

# The lines that call a function of the program's name, such as MPIIRecv.
lines_of() {
	name=$(basename "$1" .c | sed 's/^[A-Za-z]*-MPI\(I*\)\([A-Za-z]*\).*/\1\2/')
	grep -nioE "MPI_I*${name#I}(v|all)?[( ]" "$1" | cut -d: -f1 | tr '\n' ' '
}

# The table by class, from the lines of the programs.
table() {
	awk '
	# Which findings are about what the name tells.
	function fits(name, finding) {
		if (name ~ /Deadlock/)
			return finding ~ /^(deadlock|collective-mismatch)$/
		if (name ~ /^MissingCall-MPI(Wait|IIBcast)/)
			return finding == "request-not-completed"
		if (name ~ /^MissingCall-MPIFinalize/)
			return finding == "not-finalized"
		if (name ~ /^MissingCall-MPIRecv/)
			return finding ~ /^(message-not-received|deadlock)$/
		if (name ~ /^MisplacedCall-MPIWait/)
			return finding == "buffer-changed"
		if (name ~ /^ArgError/)
			return finding ~ /^(mpi-error|crash|truncation|operation-type|buffer-.*|.*-mismatch)$/
		return finding !~ /freed|late/
	}
	function judge(class, name, found, lines,	i, n, one, of) {
		n = split(found, one, ";")
		for (i = 1; i < n; i++) {
			split(one[i], of, " ")
			if (of[1] == "late")
				late[class]++
			else
				ours[class, name] = 1
			if (fits(name, of[1])) {
				right[class, name] = 1
				if (index(" " lines " ", " " of[2] " "))
					line[class, name] = 1
			} else {
				noise[class]++
			}
		}
	}
	$3 == "-" { skipped++; next }
	{
		class = $1 ~ /^correct/ ? $1 : $1 " " substr($2, 1, index($2, "-") - 1)
		total[class]++
		native[class] += $3 == "error"
		hang[class] += $3 == "hang"
		rest = $0
		sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", rest)
		split(rest, part, " [|] ")
		if (part[1] !~ /^nothing/)
			judge(class, $2, part[1], part[2])
	}
	END {
		for (key in ours) { split(key, k, SUBSEP); n_ours[k[1]]++ }
		for (key in right) { split(key, k, SUBSEP); n_right[k[1]]++ }
		for (key in line) { split(key, k, SUBSEP); n_line[k[1]]++ }
		printf "%-28s %8s %7s %5s %6s %6s %5s %6s %5s\n", "", "programs",
			"native", "hang", "found", "class", "line", "noise",
			"late"
		for (class in total)
			printf "%-28s %8d %7d %5d %6d %6d %5d %6d %5d\n", class,
				total[class], native[class], hang[class],
				n_ours[class], n_right[class], n_line[class],
				noise[class], late[class] | "sort"
		close("sort")
		if (skipped)
			print skipped " programs could not be built"
	}' "$1"
}

for folder; do
	for source in "$suite/$folder"/*.c; do
		compile "$source" || {
			echo "$folder $(basename "$source") - - -"
			continue
		}
		said=$(native)
		found=$(ours | sort -u | tr '\n' ';')
		echo "$folder $(basename "$source" .c) $said" \
			"${found:-nothing} | $(lines_of "$source")"
	done
done | tee "$out/all"
table "$out/all"
