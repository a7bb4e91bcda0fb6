# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# For the tests of programs under the preload: . "$BCS_SOURCE/tests/lib.sh"
# $out is a folder of the test's own, $records where its records go.
set -eu

# Root may become another user, and its records are written in another way then
# (pmpi-shim/dump/dump_spare.c).  Tests are of what users have, unless one wants that.
if [ "$(id -u)" -eq 0 ] && [ -z "${BCS_TEST_ROOT-}" ] &&
	setpriv --bounding-set=-setuid true 2>/dev/null; then
	export BCS_TEST_ROOT=limited
	exec setpriv --bounding-set=-setuid sh "$0" "$@"
fi

shim=$BCS_BUILD/pmpi-shim/libbcs-pmpi.so
preload=${BCS_PRELOAD_FIRST:+$BCS_PRELOAD_FIRST:}$shim
limit=${BCS_TEST_LIMIT:-300}
launcher=${BCS_TEST_LAUNCHER:-mpiexec.mpich} # and its options

if [ -n "${BCS_PRELOAD_FIRST-}" ]; then
	# The leaks are MPICH's, and signals are to end programs as always.
	export ASAN_OPTIONS="detect_leaks=0:handle_segv=0:handle_abort=0"
	export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1"
	# UCX looks into the end of a thread, where TSan knows of it no more.  A
	# save and a flight recorder read what other threads write: they may find
	# a call half counted.
	case $BCS_PRELOAD_FIRST in
	*tsan*) export UCX_MEM_EVENTS=n BCS_SAVE=0 BCS_FLIGHT=off ;;
	esac
fi

out=$(mktemp -d)
# running PROGRAM: its processes; * stands for any letters of its path.
running() {
	find /proc/[0-9]*/exe -maxdepth 0 -lname "$1" 2>/dev/null |
		sed 's,^/proc/,,; s,/exe$,,'
}

# end_left: ends what runs of programs in $out.  MPICH 4.2's mpiexec leaves ranks alive
# after another's error; a test that has such takes a copy of the program, and calls this
# in its trap.
end_left() {
	for process in $(running "$out/*"); do
		kill -CONT "$process" || :
		kill -9 "$process" || :
	done 2>/dev/null
}
trap 'rm -rf "$out"' EXIT
records=$out/records
mkdir "$records"

# What is said of the test itself, also where a command's output goes to a file.
# Ranks do not hold it: who reads it would wait for one that outlives mpiexec.
exec 9>&2

fail() {
	echo "$*" >&9
	exit 1
}

skip() {
	echo "skipped: $*" >&2
	exit 77
}

# native RANKS PROGRAM...: without the preload.
native() {
	ranks=$1
	shift
	# shellcheck disable=SC2086 # words
	timeout -k 5 "$limit" $launcher -n "$ranks" "$@" 9>&-
}

# observed RANKS PROGRAM...: with it, as a user would set it.
observed() {
	ranks=$1
	shift
	# shellcheck disable=SC2086 # words
	BCS_OUT=${BCS_OUT-$records} LD_PRELOAD=$preload \
		timeout -k 5 "$limit" $launcher -n "$ranks" "$@" 9>&-
}

# status COMMAND...: its exit status in $rc; the caller goes on.
status() {
	rc=0
	"$@" || rc=$?
	[ "$rc" -ne 124 ] || fail "still running after $limit s: $*"
}

# tries COMMAND...: until it succeeds, at most five times.  For what takes time, which
# others on the machine disturb.  In the background a first error ends it.
tries() {
	for _ in 1 2 3 4 5; do
		("$@") &
		! wait $! || return 0
	done
	fail "failed five times: $*"
}

# the_record: the one record that there is.
the_record() {
	set -- "$records"/*.bcs
	[ -d "$1" ] || fail "no record was written"
	[ $# -eq 1 ] || fail "more than one record: $*"
	echo "$1"
}

# forget: what was recorded so far.
forget() {
	rm -rf "${records:?}"/*
}

# table FILE TABLE COLUMNS: those columns of its rows.
table() {
	gzip -cd "$1" | awk -v table="$2" -v columns="$3" '
	NF == 4 && $1 == "section" {
		inside = $2 == table
		header = 1
		next
	}
	!inside { next }
	header {
		for (i = 1; i <= NF; i++)
			place[$i] = i
		n = split(columns, column)
		for (i = 1; i <= n; i++)
			if (!(column[i] in place)) {
				print "no column " column[i] > "/dev/stderr"
				exit 1
			}
		header = 0
		next
	}
	{
		line = $place[column[1]]
		for (i = 2; i <= n; i++)
			line = line " " $place[column[i]]
		print line
	}'
}

# value FILE KEY: of the table `process`.
value() {
	table "$1" process "key value" | awk -v key="$2" '$1 == key { print $2 }'
}

# calls RECORD: "rank call count sent received" of all its processes.
calls() {
	for file in "$1"/*.gz; do
		table "$file" cells "call count sent_bytes received_bytes" |
			sed "s/^/$(value "$file" rank) /"
	done | add_up
}

# add_up: lines with the same two words in front become one.
add_up() {
	awk '
	{
		key = $1 " " $2
		count[key] += $3
		sent[key] += $4
		received[key] += $5
	}
	END {
		for (key in count)
			printf "%s %d %d %d\n", key, count[key], sent[key],
				received[key]
	}' | sort
}
