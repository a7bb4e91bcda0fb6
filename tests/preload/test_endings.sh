#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_endings.sh PROGRAM MODE SIGNAL...
# However a program ends (programs/endings.c), it ends as without the preload,
# and the record says why and has all calls up to there.  SIGNAL: the number of a signal
# that ends a process.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$out/endings
cp "$1" "$program"
export BCS_MODE="$2"
shift 2
trap 'end_left; rm -rf "$out"' EXIT

# Those that are left would write theirs into the next record.
forget() {
	until [ -z "$(running "$out/*")" ]; do
		end_left
		sleep 0.01
	done
	rm -rf "${records:?}"/*
}

# No other record than that of the end.
export BCS_SAVE=0

# calls_of FILE: how many of MPI_Iprobe.
calls_of() {
	table "$1" cells "call count" |
		awk '$1 == "MPI_Iprobe" { n += $2 } END { print n + 0 }'
}

# unaccounted FILE: ns of the wall time that the one thread did not spend.
unaccounted() {
	table "$1" threads "computation_ns communication_ns" |
		awk -v wall="$(value "$1" wall_ns)" '
		{ wall -= $1 + $2 }
		END { print wall < 0 ? -wall : wall }'
}

# settled STATUS LOG COMMAND...: its status.  mpiexec's proxy may be hung up on, which
# is 1 whatever the ranks did, and MPICH 4.2 may lose the status, which is 0: both happen
# now and then without us, too.  So these are believed if they are STATUS, or come twice.
settled() {
	believed=$1
	log=$2
	shift 2
	for _ in 1 2 3 4 5; do
		forget
		status "$@" >"$log" 2>&1
		if [ "$rc" -gt 1 ] || [ "$rc" = "$believed" ]; then
			break
		fi
		believed=${believed:-$rc}
	done
}

# ended RANKS HOW: ended twice, without the preload and with it, the same way.
ended() {
	for _ in 1 2 3; do
		settled "" "$out/native" native "$1" "$program" "$2"
		expected=$rc
		settled "$expected" "$out/observed" observed "$1" "$program" "$2"
		[ "$rc" -ne "$expected" ] || return 0
		[ "$rc" -le 1 ] || [ "$expected" -le 1 ] || break # none was lost
	done
	cat "$out/observed" >&2
	fail "$2: ended with $rc instead of $expected"
}

# ending RANKS HOW REASON
ending() {
	# mpiexec may kill it after another has asked for its record, and before its
	# own end comes.
	for _ in 1 2 3 4 5; do
		ended "$1" "$2"
		file=$(the_record)/rank-000000.gz
		[ -f "$file" ] || break
		[ "$(value "$file" reason)" = request ] || break
	done
	[ -f "$file" ] || fail "$2: rank 0 left no record"
	[ "$(value "$file" reason)" = "$3" ] ||
		fail "$2: reason $(value "$file" reason) instead of $3"
	[ "$(calls_of "$file")" -eq 5 ] ||
		fail "$2: $(calls_of "$file") calls instead of 5"
	# All of the record is of one moment.
	[ "$(unaccounted "$file")" -le 10 ] ||
		fail "$2: $(unaccounted "$file") ns belong nowhere"
	# Those for a change of user are empty, and stay when another is killed.
	[ "$(find "$records" -name '.rank*' -size +0)" = "" ] ||
		fail "$2: left a temporary file"
}

ending 1 none finalize
[ "$(value "$file" status)" = 11 ] || fail "none: status $(value "$file" status)"
ending 1 fine finalize
[ -z "$(value "$file" status)" ] || fail "fine: status $(value "$file" status)"
ending 1 late_exit finalize
[ "$(value "$file" status)" = 44 ] || fail "late_exit: status $(value "$file" status)"
ending 1 late__exit finalize
[ "$(value "$file" status)" = 8 ] || fail "late__exit: status $(value "$file" status)"
ending 2 abort abort
# The others are asked for theirs before the job is killed.
[ -f "$(the_record)/rank-000001.gz" ] || fail "abort: rank 1 left no record"
# So they are when MPI ends it.
ending 2 error abort
[ -f "$(the_record)/rank-000001.gz" ] || fail "error: rank 1 left no record"
# These are told in another way, or MPI was tried before on a communicator of ours.
ending 1 truncated abort
ending 1 told abort
ending 2 no_operation abort
ending 1 error_in_finalize abort
# Where the error is, though MPI was not in that call. mpiexec loses it now and then.
for _ in 1 2 3 4 5; do
	forget
	status observed 1 "$program" truncated >"$out/truncated" 2>&1
	! grep -q "Fatal error" "$out/truncated" || break
done
[ "$BCS_MODE" = observe ] ||
	grep -q "in MPI_Recv, at endings+0x[0-9a-f]*: Message trunc" "$out/truncated" ||
	fail "truncated: said $(cat "$out/truncated")"
# MPI holds a lock that other threads wait for.
ended 2 error_amid
for rank in 0 1; do
	[ -f "$(the_record)/rank-00000$rank.gz" ] ||
		fail "error_amid: rank $rank left no record"
done
[ "$(value "$(the_record)/rank-000000.gz" reason)" = abort ] ||
	fail "error_amid: reason of rank 0"
# It goes on after the error, and is killed.
forget
observed 1 "$program" handled || [ $? -eq 9 ] || fail "handled: $?"
[ ! -f "$(the_record)/rank-000000.gz" ] || fail "handled: left a record"
ending 1 handled_unseen saved
ending 1 handled_by_world finalize
ending 1 exit exit
[ "$(value "$file" status)" = 9 ] || fail "exit: status $(value "$file" status)"
ending 1 _exit exit
[ "$(value "$file" status)" = 9 ] || fail "_exit: status $(value "$file" status)"
ending 1 quick_exit exit
# What the record takes was taken at the start.
ending 1 no_files exit
# The runtime of a sanitizer ends a program that gets no memory.
[ -n "${BCS_PRELOAD_FIRST-}" ] || ending 1 no_memory exit
ending 1 closed_files exit
ending 1 own_signal finalize
ending 1 segv_late "signal%2011"
ending 1 segv "signal%2011"
# Each asks the other for its record, and neither gives up its own reason.
reasons() {
	for rank in 0 1; do
		value "$(the_record)/rank-00000$rank.gz" reason
	done
}
for _ in 1 2 3 4 5; do
	forget
	status observed 2 "$program" segv >"$out/segv" 2>&1
	[ "$(reasons | sort -u)" != "signal%2011" ] || break
done
[ "$(reasons | sort -u)" = "signal%2011" ] || fail "segv: reasons $(reasons)"
ending 1 segv_in_mpi "signal%2011"
# MPI alone has no thread that does it.
if [ "$BCS_MODE" != observe ]; then
	forget
	status observed 2 "$program" segv_in_helper >"$out/helper" 2>&1
	[ "$(value "$(the_record)/rank-000001.gz" reason)" = "signal%2011" ] ||
		fail "segv_in_helper: $rc: $(cat "$out/helper")"
fi
ending 1 term "signal%2015"
ending 2 term_in_mpi "signal%2015"
[ -f "$(the_record)/rank-000001.gz" ] || fail "term: rank 1 left no record"
for number; do
	reason=$(printf 'signal%%20%d' "$number")
	ending 1 "signal$number" "$reason"
done
# The others' records are there, too.
ending 2 signal13 "signal%2013"
[ -f "$(the_record)/rank-000001.gz" ] || fail "SIGPIPE: rank 1 left no record"
# Asked after its end it has nothing to add.
forget
observed 1 "$program" asked_late || [ $? -eq 11 ] || fail "asked_late: $?"
file=$(the_record)/rank-000000.gz
[ "$(value "$file" reason)" = finalize ] ||
	fail "asked_late: reason $(value "$file" reason)"
# A child that ends in any of these ways writes nothing.
ending 1 children finalize
[ "$(ls "$(the_record)")" = rank-000000.gz ] ||
	fail "children: $(ls "$(the_record)")"
