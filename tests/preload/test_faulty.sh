#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Wrong programs are told of with what is wrong and its line, and right ones
# are not told of.  usage: MODE[:STRICT] PROGRAM FOLDER FILE...: the cases of
# those files of its sources.  Those in Fortran all need 2 ranks.
. "$BCS_SOURCE/tests/lib.sh"

export BCS_MODE="${1%:*}"
case $1 in *:*) export BCS_STRICT="${1#*:}" ;; esac
program=$(realpath "$2")
folder=$3
shift 3

# "CASE RANKS FINDING:LINE...", from the tables and the marks of a source.
cases() {
	awk '
	match($0, /^static void [a-z_]+\(void\)/) {
		name = $3
		sub(/\(.*/, "", name)
	}
	match($0, /^\t+(\/\*|!) ! [a-z-]+( \*\/)?$/) {
		marks[name] = marks[name] " " $3 ":" NR + 1
	}
	$1 == "case" {
		if (name)
			print name, 2 marks[name]
		name = substr($2, 3, length($2) - 4)
	}
	$1 == "end" && $2 == "select" {
		print name, 2 marks[name]
	}
	{
		while (match($0, /CASE\([a-z_]+, [0-9]+\)/)) {
			split(substr($0, RSTART + 5, RLENGTH - 6), of, ", ")
			print of[1], of[2] marks[of[1]]
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' "$1"
}

# one CASE RANKS: runs it; its findings as "FINDING:LINE" in $out/CASE.found.
one() {
	mkdir "$out/$1"
	rc=0
	BCS_OUT=$out/$1 LD_PRELOAD=$preload timeout -k 5 "$limit" mpiexec.mpich \
		-n "$2" "$program" "$1" </dev/null >"$out/$1.said" 2>&1 9>&- ||
		rc=$?
	"$BCS_BUILD/analyzer/bcs" check --json "$out/$1"/*.bcs \
		>"$out/$1.json" 2>>"$out/$1.said" || :
	sed -n 's/^ *{"finding": "\([^"]*\)".*"line": \([0-9]*\).*/\1:\2/p
		t
		s/^ *{"finding": "\([^"]*\)".*/\1:0/p' "$out/$1.json" |
		sort -u >"$out/$1.found"
	[ "$rc" -ne 124 ] || echo "hang:0" >>"$out/$1.found"
	echo "$rc" >"$out/$1.status"
	rm -rf "${out:?}/$1"
}

# natively CASE RANKS: how it ends without the preload.
natively() {
	rc=0
	native "$2" "$program" "$1" </dev/null >"$out/$1.native" 2>&1 || rc=$?
	echo "$rc"
}

# marks_here CASE RANKS MARK...: as this MPI has them.  MPICH 4.2 refuses an operation
# on some types, where 4.0 does what it is not for: 9 is MPI_ERR_OP.  UCX 1.18 aborts for
# a window that is left.
marks_here() {
	marks=$*
	case $* in
	*operation-type:*)
		[ "$(natively "$1" "$2")" -ne 9 ] ||
			marks=$(echo "$*" | sed 's/operation-type:/mpi-error:/')
		;;
	*window-not-freed:*)
		[ "$(natively "$1" "$2")" -eq 0 ] || return 0
		;;
	esac
	echo "$marks"
}

# judge CASE MARK...: each finding is marked, and each that is marked is found,
# on one of its lines.  A message that nobody received has no line, nor have the
# ends of a program.
judge() {
	name=$1
	shift
	! grep -q "there is no case\|needs [0-9]* ranks" "$out/$name.said" ||
		echo "$name: did not run"
	[ $# -gt 0 ] || [ "$(cat "$out/$name.status")" -eq 0 ] ||
		echo "$name: is right, and ended with $(cat "$out/$name.status")"
	for mark; do
		grep -q "^${mark%:*}:" "$out/$name.found" ||
			echo "$name: not found: $mark"
	done | sed 1q
	while read -r is; do
		case " $* " in
		*" $is "*) continue ;;
		esac
		# A thread of the program's own has no line.
		[ "$name $is" != "touched_by_threads receive-touched:0" ] || continue
		case "$is $*" in
		message-not-received:0*message-not-received:*) continue ;;
		not-finalized:0*not-finalized:*) continue ;;
		crash:0*crash:*) continue ;;
		esac
		echo "$name: found: $is"
	done <"$out/$name.found"
}

for file; do
	cases "$folder/$file"
done >"$out/all"
while read -r name ranks marks; do
	# shellcheck disable=SC2086 # several
	marks_here "$name" "$ranks" $marks
done <"$out/all" >"$out/cases"
[ -s "$out/cases" ] || fail "no case"
running=0
while read -r name ranks marks; do
	one "$name" "$ranks" &
	running=$((running + 1))
	[ $((running % 6)) -ne 0 ] || wait
done <"$out/cases"
wait
while read -r name ranks marks; do
	# shellcheck disable=SC2086 # several
	judge "$name" $marks >"$out/wrong"
	[ ! -s "$out/wrong" ] || {
		cat "$out/wrong" "$out/$name.said" >&9
		rc=bad
	}
done <"$out/cases"
[ "${rc-}" != bad ] || fail "of $(wc -l <"$out/cases") cases"
echo "$(wc -l <"$out/cases") cases"
