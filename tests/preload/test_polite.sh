#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: polite.sh PROGRAM ENDS
# BCS_POLITE=auto is on exactly when ranks outnumber the cores that they may use
# together, whether masks or a quota say so; and threads that wait politely do
# not shut out the others of their process (PROGRAM is programs/polite_threads.c).  Else
# it is on when a program begins and ends (ENDS is programs/polite_ends.c).  Where they
# share cores it is told if the kernel goes by sessions.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
ends=$2
group=
trap 'rm -rf "$out"; [ -z "$group" ] || rmdir "$group"' EXIT

# expect STATE MILLICORES: what the record says of each rank; $gone is how often
# they gave up the core.
expect() {
	gone=0
	record=$(the_record)
	for file in "$record"/*.gz; do
		[ "$(value "$file" polite)" = "$1" ] ||
			fail "polite is $(value "$file" polite), not $1"
		[ "$(value "$file" cores)" = "$2" ] ||
			fail "$(value "$file" cores) millicores, not $2"
		gone=$((gone + $(value "$file" yields) +
			$(value "$file" sleeps)))
	done
	forget
}

# by_sessions: in the record, which expect takes away.
by_sessions() {
	table "$(the_record)/rank-000000.gz" notes text |
		grep -q 'kernel.sched_autogroup_enabled'
}

# Of a group below the root it takes more to tell whether cores go by it.
go_by_sessions() {
	grep -qsx 1 /proc/sys/kernel/sched_autogroup_enabled &&
		[ ! -e /sys/fs/cgroup/cpu.weight ] &&
		! grep -E '[:,]cpu[,:]|^0::' /proc/self/cgroup | grep -qv ':/$'
}

# Of the cores that we may use, the first two.
# shellcheck disable=SC2046 # two words
set -- $(taskset -cp $$ | sed 's/.*: //' | tr , '\n' |
	while IFS=- read -r first last; do
		seq "$first" "${last:-$first}"
	done | head -n 2)

# One core for all.
shares() {
	forget
	observed 2 taskset -c "$1" "$program" >"$out/us"
	if go_by_sessions; then
		by_sessions || fail "it is not told that cores go by sessions"
	elif ! grep -qsx 1 /proc/sys/kernel/sched_autogroup_enabled; then
		! by_sessions || fail "told that cores go by sessions"
	fi
	expect on 1000
	[ "$gone" -gt 0 ] || fail "on, but no core was given up"
	while read -r us; do
		[ "$us" -lt 100 ] ||
			fail "a thread was shut out of MPI for $us us by another"
	done <"$out/us"
}
tries shares "$1"

BCS_POLITE=off observed 2 taskset -c "$1" "$program" >"$out/us"
expect off 1000
[ "$gone" -eq 0 ] || fail "off, but the core was given up $gone times"

if [ $# -lt 2 ]; then
	skip "what takes two cores"
fi

# A core a rank: each has too few by itself, together they have enough.
observed 2 sh -c 'exec taskset -c "$(($1 + PMI_RANK * ($2 - $1)))" "$3"' \
	sh "$1" "$2" "$program" >"$out/us"
expect off 2000
BCS_POLITE=on observed 2 taskset -c "$1,$2" "$program" >"$out/us"
! by_sessions || fail "with a core for each: told that cores go by sessions"
expect on 2000

# Of two waits that are alike only the one in MPI_Finalize gives up the core; in
# observe mode MPICH sleeps there by itself.
BCS_MODE=observe observed 2 taskset -c "$1,$2" "$ends"
ns=$(table "$(the_record)/rank-000000.gz" threads yielded_ns)
expect off 2000
[ "$ns" -eq 0 ] || fail "off, but a call gave up the core for $ns ns"
gives_up_at_end() {
	forget
	BCS_MODE=demand observed 2 taskset -c "$1,$2" "$ends"
	ns=$(value "$(the_record)/rank-000000.gz" given_up_ns)
	expect off 2000
	[ "$ns" -gt 20000000 ] || fail "MPI_Finalize gave up the core for $ns ns"
}
tries gives_up_at_end "$1" "$2"

# make_group QUOTA: ms of each 100 ms on all cores together.
make_group() {
	for parent in /sys/fs/cgroup/cpu /sys/fs/cgroup; do
		group=$parent/bcs-test.$$
		mkdir "$group" 2>/dev/null || continue
		if [ -e "$group/cpu.max" ]; then
			echo "${1}000 100000" >"$group/cpu.max"
			return
		fi
		if [ -e "$group/cpu.cfs_quota_us" ]; then
			echo 100000 >"$group/cpu.cfs_period_us"
			echo "${1}000" >"$group/cpu.cfs_quota_us"
			return
		fi
		rmdir "$group"
	done
	group=
	return 1
}

if make_group 150; then
	observed 2 taskset -c "$1,$2" \
		sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2"' \
		sh "$group" "$program" >"$out/us"
	! by_sessions || fail "in a group: told that cores go by sessions"
	expect on 1500
fi
