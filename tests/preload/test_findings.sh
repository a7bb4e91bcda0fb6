#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What a program forgets is told of with its line and how often, and nothing of
# a program that forgets nothing.  usage: MODE RANKS PROGRAM
. "$BCS_SOURCE/tests/lib.sh"

mode=$1
ranks=$2
program=$(realpath "$3")
cd "$out"

# found HOW...: runs the program; what the report says of it, without the ranks.
found() {
	forget
	status env BCS_MODE="$mode" BCS_OUT="$records" LD_PRELOAD="$preload" \
		timeout -k 5 "$limit" mpiexec.mpich -n "$ranks" "$program" \
		"$@" >"$out/said" 2>"$out/err"
	[ "$rc" -eq 0 ] || fail "$*: status $rc: $(cat "$out/err")"
	"$BCS_BUILD/analyzer/bcs" report --section=findings --csv --top=0 \
		"$(the_record)" >"$out/csv"
	tr -d '"' <"$out/csv" | awk -F, 'NR > 1 {
		line = $9
		sub(/.*:/, "", line)
		n[$1 " " ($5 ? $5 : "-") " " (line ? line : 0)] += $3
	} END {
		for (what in n)
			print what, n[what]
	}' | sort
}

# known: what the program said; UCX may warn of what it forgot, too.
known() {
	grep -E '^[a-z-]+ [A-Za-z_-]+ [0-9]+ [0-9]+$' "$out/said"
}

# finds NAME...: these, and nothing else.
finds() {
	is=$(found "$@")
	expected=$(known | sort)
	[ "$(echo "$expected" | wc -l)" -eq $# ] || fail "the program knows only: $expected"
	[ "$is" = "$expected" ] ||
		fail "$*: found: $is; expected: $expected; $(cat "$out/csv")"
}

# finds_as NAME AS: what this mode calls it, and nothing else.
finds_as() {
	is=$(found "$1")
	expected=$(known | sed "s/^$1 /$2 /")
	[ "$is" = "$expected" ] ||
		fail "$1: found: $is; expected: $expected; $(cat "$out/csv")"
}

is=$(found none)
[ -z "$is" ] || fail "found where there is nothing: $is"
# Together, for a start of MPI takes longer than what is looked at.
finds communicator-not-freed datatype-not-freed operation-not-freed group-not-freed \
	info-not-freed errhandler-not-freed keyval-not-freed file-not-closed \
	memory-not-freed buffer-not-detached request-not-freed
# UCX 1.18 (Debian 13) ends the program for it, without us, too.
! native "$ranks" "$program" window-not-freed >"$out/native" 2>&1 ||
	finds window-not-freed
finds request-not-completed
if [ "$mode" = observe ]; then
	finds_as receive-not-matched request-not-completed
else
	finds receive-not-matched
	finds message-not-received
fi
finds_as message-probed message-not-received

# All tables that a record has are on the page of the format, column by column.
page=$(tr -s '\n ' '  ' <"$BCS_SOURCE/mds/FORMAT.md")
zcat "$(the_record)/rank-000000.gz" | awk '
	$1 == "section" && NF == 4 { table = $2; getline; print table ": " $0 }' >"$out/tables"
[ -s "$out/tables" ] || fail "no tables in the record"
while IFS=: read -r name columns; do
	case $page in
	*"\`$name\`: \`${columns# }\`"*) ;;
	*"\`$name\`: \`${columns# } "*) ;; # the last ones are absent in some modes
	*) fail "not in FORMAT.md: $name:$columns" ;;
	esac
done <"$out/tables"
