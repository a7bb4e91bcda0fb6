#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Wrong programs are told of with what is wrong and its line, and right ones
# are not told of.  usage: MODE[:STRICT[:NODE_SIZE]] PROGRAM FOLDER FILE...: the
# cases of those files of its sources.  Those in Fortran all need 2 ranks.  A start
# of MPI takes longer than most cases, so right ones of a file run one after another
# in one process; to run one alone: faulty CASE.
. "$BCS_SOURCE/tests/lib.sh"

export BCS_MODE="${1%%:*}"
strict=${1#"$BCS_MODE"}
strict=${strict#:}
[ -z "$strict" ] || export BCS_STRICT="${strict%:*}"
case $strict in *:*) export BCS_NODE_SIZE="${strict#*:}" ;; esac
program=$(realpath "$2")
folder=$3
shift 3

# "CASE[,CASE]... RANKS FINDING:LINE...": those without a finding are together.
together() {
	case $1 in
	*right_threads.c | *.F90) cat ;; # one alone, before MPI_Init
	*)
		awk '
		$3 == "alone" { print $1, $2; next }
		NF > 2 { print; next }
		{ names[$2] = names[$2] (names[$2] == "" ? "" : ",") $1 }
		END { for (ranks in names) print names[ranks], ranks }'
		;;
	esac
}

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
		while (match($0, /(CASE|ALONE)\([a-z_]+, [0-9]+\)/)) {
			row = substr($0, RSTART, RLENGTH - 1)
			split(substr(row, index(row, "(") + 1), of, ", ")
			print of[1], of[2] (row ~ /^A/ ? " alone" : "") \
				marks[of[1]]
			$0 = substr($0, RSTART + RLENGTH)
		}
	}' "$1"
}

# one CASE[,CASE]... RANKS: runs them; findings as "FINDING:LINE" in $out/CASE.found.
one() {
	names=$(echo "$1" | tr , ' ')
	ranks=$2
	set -- "${1%%,*}"
	mkdir "$out/$1"
	rc=0
	# shellcheck disable=SC2086 # several
	BCS_OUT=$out/$1 LD_PRELOAD=$preload timeout -k 5 "$limit" mpiexec.mpich \
		-n "$ranks" "$program" $names </dev/null >"$out/$1.said" 2>&1 \
		9>&- || rc=$?
	(cd "$BCS_SOURCE" && "$BCS_BUILD/analyzer/bcs" check --json \
		--sarif="$out/$1.sarif" "$out/$1"/*.bcs) \
		>"$out/$1.json" 2>>"$out/$1.said" || :
	{
		sed -n 's/^ *{"finding": "\([^"]*\)".*"line": \([0-9]*\).*/\1:\2/p
			t
			s/^ *{"finding": "\([^"]*\)".*/\1:0/p' "$out/$1.json"
		sed -n 's/.*"sender_line": \([0-9]*\).*/sent:\1/p' "$out/$1.json"
	} | sort -u >"$out/$1.found"
	[ "$rc" -ne 124 ] || echo "hang:0" >>"$out/$1.found"
	echo "$rc" >"$out/$1.status"
	rm -rf "${out:?}/$1"
}

# is_found CASE FINDING: somewhere.
is_found() {
	grep -q "^$2:" "$out/$1.found"
}

# natively CASE RANKS: what MPI or UCX do without the preload, if it is not to go on.
# MPICH 4.2's mpiexec loses a status now and then.
natively() {
	for _ in 1 2 3; do
		rc=0
		native "$2" "$program" "$1" </dev/null >"$out/native" 2>&1 || rc=$?
		if grep -q "Assertion.* failed" "$out/native"; then
			echo aborts
			return
		elif [ "$rc" -ne 0 ]; then
			echo refuses
			return
		fi
	done
}

# marks_here CASE RANKS MARK...: as this MPI has them.  MPICH 4.2 refuses an operation on
# some types, where 4.0 does what it is not for; neither refuses what ends in an assertion.
# UCX 1.18 aborts for a window that is left, and nothing can be told of it.  MPICH 5.0
# refuses a shared window of several processes, which is right.
marks_here() {
	name=$1
	ranks=$2
	shift 2
	case $* in
	'')
		! is_found "$name" mpi-error ||
			[ "$(natively "$name" "$ranks")" != refuses ] ||
			set -- ended
		;;
	operation-type:*)
		! is_found "$name" mpi-error ||
			[ "$(natively "$name" "$ranks")" != refuses ] ||
			set -- "mpi-error:${1#*:}"
		;;
	window-not-freed:*)
		is_found "$name" window-not-freed ||
			[ "$(natively "$name" "$ranks")" != aborts ] ||
			set -- ended
		;;
	esac
	echo "$@"
}

# judge CASE MARK...: each finding is marked, and each that is marked is found,
# on one of its lines.  The ends of a program have no line.  Where a message was
# sent is marked as `sent`, unless the line has another mark.
judge() {
	name=$1
	shift
	! grep -q "there is no case\|needs [0-9]* ranks" "$out/$name.said" ||
		echo "$name: did not run"
	[ $# -gt 0 ] || [ "$(cat "$out/$name.status")" -eq 0 ] ||
		echo "$name: is right, and ended with $(cat "$out/$name.status")"
	for mark; do
		is_found "$name" "${mark%:*}" ||
			echo "$name: not found: $mark"
	done | sed 1q
	while read -r is; do
		case " $* " in
		*" $is "*) continue ;;
		esac
		# A thread of the program's own has no line.
		[ "$name $is" != "touched_by_threads receive-touched:0" ] || continue
		case "$is $*" in
		sent:*":${is#sent:} "* | sent:*":${is#sent:}") continue ;;
		not-finalized:0*not-finalized:*) continue ;;
		crash:0*crash:*) continue ;;
		esac
		echo "$name: found: $is"
	done <"$out/$name.found"
}

# judged CASE[,CASE]... RANKS MARK...: what is wrong of them is in $out/wrong.
judged() {
	label=${1%%,*}
	ranks=$2
	shift 2
	marks=$(marks_here "$label" "$ranks" "$@")
	: >"$out/wrong"
	[ "$marks" = ended ] || {
		# shellcheck disable=SC2086 # several
		judge "$label" $marks >"$out/wrong"
	}
	[ ! -s "$out/wrong" ] || cat "$out/$label.said" >>"$out/wrong"
}

for file; do
	cases "$folder/$file" | together "$file"
done >"$out/cases"
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
	judged "$name" "$ranks" $marks
	[ -s "$out/wrong" ] || continue
	# Of several, it is said which; and MPI may refuse one of them.
	case $name in
	*,*)
		for name in $(echo "$name" | tr , ' '); do
			one "$name" "$ranks"
			judged "$name" "$ranks"
			cat "$out/wrong" >&9
			[ ! -s "$out/wrong" ] || rc=bad
		done
		continue
		;;
	esac
	cat "$out/wrong" >&9
	rc=bad
done <"$out/cases"
# Sources are told of relative to the folder of all of them, and so are senders.
cat "$out"/*.sarif >"$out/sarif"
python3 "$BCS_SOURCE/tests/cli/sarif_check.py" "$out"/*.sarif ||
	fail "not as the schema has it"
! grep -q '"uri": "file://[^"]*tests/programs' "$out/sarif" ||
	fail "not relative"
! grep -q " sent:" "$out/cases" || [ "${rc-}" = bad ] ||
	grep '"relatedLocations"' "$out/sarif" >/dev/null || fail "no senders"
n=$(cut -d ' ' -f 1 "$out/cases" | tr , '\n' | wc -l)
[ "${rc-}" != bad ] || fail "of $n cases"
echo "$n cases"
