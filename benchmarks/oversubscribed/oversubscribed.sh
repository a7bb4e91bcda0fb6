#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What more ranks than cores cost MPICH, natively and with BCS_POLITE=on.
# usage: tools/bench.sh oversubscribed [--places] [--repetitions N] [--limit S]
# Native and polite runs alternate; medians are printed.  A run of more than S
# seconds (60) is ended and shown as "> S".  --places: not what it costs as the
# ranks grow, but as others want the cores and the kernel groups the ranks.
# What polite runs cost includes the recording; with BCS_MMDS=off it does not.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=benchmarks/lib/places.sh
. "$root/benchmarks/lib/places.sh"
program=$programs/oversubscribed
table=ranks
repetitions=
limit=60

while [ $# -gt 0 ]; do
	case $1=${2-} in
	--places=*) table=places ;;
	--repetitions=*[!0-9]* | --limit=*[!0-9]*) set -- bad ;;
	--repetitions=[1-9]*) repetitions=$2 && shift ;;
	--limit=[1-9]*) limit=$2 && shift ;;
	*) set -- bad ;;
	esac
	if [ "$1" = bad ]; then
		sed -n 's/^# usage: /usage: /p' "$0" >&2
		exit 2
	fi
	shift
done

# Commands run in the background, so that a signal reaches this shell at once.
child=
others=
group=
tmp=$(mktemp -d)

clean() {
	stop "$child" "$others"
	group_remove
	rm -rf "$tmp"
}

# stop PIDS...: and wait for their end.
stop() {
	# shellcheck disable=SC2048,SC2086 # lists of words
	kill $* 2>/dev/null || :
	wait
}

trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# run FILE COMMAND...: what it prints goes there; its status in $rc, which is 0,
# or 124 or 137 if it had to be ended.
run() {
	file=$1
	shift
	timeout -k 5 "$limit" "$@" >"$file" 2>"$tmp/errors" &
	child=$!
	rc=0
	wait "$child" || rc=$?
	child=
	case $rc in
	0 | 124 | 137) return ;;
	esac
	echo "oversubscribed.sh: status $rc of: $*" >&2
	cat "$tmp/errors" >&2
	exit 1
}

# either HOW FILE COMMAND...: natively, or politely with a record in $tmp/record.
either() {
	how=$1
	file=$2
	shift 2
	if [ "$how" = native ]; then
		run "$file" env -u LD_PRELOAD "$@"
		return
	fi
	rm -rf "$tmp/record"
	run "$file" env BCS_MODE=observe BCS_POLITE=on BCS_OUT="$tmp/record" \
		LD_PRELOAD="$preload" "$@"
}

# median NAME FILE: of the lines "NAME NUMBER".  There should be as many as there
# were repetitions; those that are missing took too long.
median() {
	awk -v name="$1" '$1 == name { print $2 }' "$2" | sort -n |
		awk -v runs="$repetitions" -v limit="$limit" '
		{ value[NR] = $1 }
		END {
			i = int((runs + 1) / 2)
			print (i in value) ? value[i] : "> " limit
		}'
}

heading() {
	printf '%-36s %12s %12s %9s%s\n' "$1" native polite ratio "${2-}"
}

# row LABEL NATIVE POLITE [REST]: with the ratio of the two.
row() {
	echo "$1|$2|$3|${4-}" | awk -F '|' '
	function show(value) {
		return value ~ /^>/ ? value : sprintf("%.2f", value)
	}
	{
		native = $2
		more = sub(/^> /, "", native) ? "> " : ""
		ratio = $3 ~ /^>/ ? "-" : more sprintf("%.*f",
			native < 100 * $3 ? 2 : 0, native / $3)
		printf "%-36s %12s %12s %9s%s\n", $1, show($2), show($3), ratio, $4
	}'
	result "$1" native "$2" polite "$3"
}

# seconds FILE COMMAND...: "seconds NUMBER", unless it reached the limit.
seconds() {
	times=$1
	shift
	begin=$(date +%s%N)
	"$@"
	end=$(date +%s%N)
	[ "$rc" -ne 0 ] || echo "$begin $end" |
		awk '{ print "seconds", ($2 - $1) / 1e9 }' >"$times"
}

communication() {
	tests="barrier allreduce pingpong pairs"
	for n in 2 4 8 16; do
		for _ in $(seq "$repetitions"); do
			for how in native polite; do
				# shellcheck disable=SC2086 # a list of words
				either $how "$tmp/out" mpiexec.mpich -n $n \
					"$program" 0.3 $tests
				cat "$tmp/out" >>"$tmp/$how.$n"
			done
		done
	done
	heading "us an operation"
	for name in $tests; do
		for n in 2 4 8 16; do
			row "$name, $n ranks" \
				"$(median "$name" "$tmp/native.$n")" \
				"$(median "$name" "$tmp/polite.$n")"
		done
	done
}

scalapack() {
	folder=$(echo /usr/lib/*/scalapack/mpich-tests)
	if [ ! -x "$folder/xdlu" ]; then
		echo "skipped: ScaLAPACK (package scalapack-mpi-test)"
		return
	fi
	cd "$folder"
	repetitions=1
	heading "s, ScaLAPACK's tests at 4 ranks"
	for name in xdlu xdqr xdllt; do
		for how in native polite; do
			: >"$tmp/$how.$name"
			seconds "$tmp/$how.$name" either $how "$tmp/out" \
				mpiexec.mpich -n 4 "./$name"
		done
		row "$name" "$(median seconds "$tmp/native.$name")" \
			"$(median seconds "$tmp/polite.$name")"
	done
}

# of_record KEY: of the last polite run, over all ranks.
of_record() {
	find "$tmp/record" -name '*.gz' -exec zcat {} + |
		awk -v key="$1" '$1 == key { sum += $2 } END { print sum + 0 }'
}

# place LABEL COMMAND...: 4 ranks there; COMMAND runs what follows on it.
place() {
	label=$1
	shift
	for name in barrier imbalance; do
		rm -f "$tmp/native" "$tmp/polite"
		for _ in $(seq "$repetitions"); do
			for how in native polite; do
				either $how "$tmp/out" "$@" mpiexec.mpich -n 4 \
					"$program" 0.3 $name
				cat "$tmp/out" >>"$tmp/$how"
			done
		done
		row "$label, $name" "$(median $name "$tmp/native")" \
			"$(median $name "$tmp/polite")" "$(printf ' %9s %9s' \
				"$(of_record yields)" "$(of_record sleeps)")"
	done
}

# hydra gives each rank a session, and the kernel a group to each session; but
# only outside of control groups.
place_sessions() {
	if ! grep -qsx 1 /proc/sys/kernel/sched_autogroup_enabled ||
		grep -E ':cpu[,:]|^0::' /proc/self/cgroup | grep -qv ':/$'; then
		echo "skipped: an autogroup a rank (not in effect here)"
		return
	fi
	place "an autogroup a rank" env
}

group_make() {
	for parent in /sys/fs/cgroup/cpu /sys/fs/cgroup; do
		group=$parent/bcs-bench.$$
		mkdir "$group" 2>/dev/null || continue
		if [ -e "$group/cpu.max" ] || [ -e "$group/cpu.cfs_quota_us" ]
		then
			return
		fi
		rmdir "$group"
	done
	group=
	return 1
}

group_remove() {
	[ -n "$group" ] || return 0
	# Whoever was killed last takes a moment to be gone.
	rmdir "$group" 2>/dev/null || sleep 1
	[ ! -d "$group" ] || rmdir "$group"
	group=
}

# group_limit MILLISECONDS: of each 100 that pass on all cores together.
group_limit() {
	if [ -e "$group/cpu.max" ]; then
		echo "${1}000 100000" >"$group/cpu.max"
	else
		echo 100000 >"$group/cpu.cfs_period_us"
		echo "${1}000" >"$group/cpu.cfs_quota_us"
	fi
}

place_groups() {
	if ! group_make; then
		echo "skipped: one control group, and a quota (none may be made)"
		return
	fi
	# shellcheck disable=SC2016 # for the inner shell
	enter='echo $$ >"$0/cgroup.procs" && exec "$@"'
	place "one control group" sh -c "$enter" "$group"
	group_limit $(($(nproc) * 50))
	place "a quota of half the cores" sh -c "$enter" "$group"
	group_remove
}

# cores: the numbers of those that we may use.
cores() {
	taskset -cp $$ | sed 's/.*: //' | tr , '\n' |
		while IFS=- read -r first last; do
			seq "$first" "${last:-$first}"
		done
}

# place_busy LABEL POLICY: a busy loop, as of another job, on each core.
place_busy() {
	for core in $(cores); do
		setsid taskset -c "$core" chrt "$2" 0 \
			sh -c 'while :; do :; done' &
		others="$others $!"
	done
	place "$1" env
	stop "$others"
	others=
}

[ -x "$program" ] || {
	echo "oversubscribed.sh: no $program; build first" >&2
	exit 1
}
results_begin
version=$(mpi_version)
echo "$(uname -sr), $(nproc) cores, MPICH $version, load before:" \
	"$(cut -d ' ' -f 1 /proc/loadavg)"
if [ $table = ranks ]; then
	: "${repetitions:=5}"
	echo "medians of $repetitions; polite is BCS_MODE=observe BCS_POLITE=on"
	communication
	scalapack
else
	: "${repetitions:=3}"
	echo "4 ranks, us an operation, medians of $repetitions; yields and" \
		"sleeps of the last polite run"
	heading "" "$(printf ' %9s %9s' yields sleeps)"
	place_sessions
	place_groups
	place_busy "a busy loop a core" --other
	place_busy "the same as SCHED_BATCH" --batch
	place "the ranks as SCHED_BATCH" chrt --batch 0
fi
