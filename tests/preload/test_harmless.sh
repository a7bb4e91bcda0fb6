#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_harmless.sh HOST PLUGIN
# Programs that are not ours to record, or that find MPI late.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

host=$1
plugin=$2

# under COMMAND...: with the preload, and nothing may be said by it.
under() {
	BCS_OUT=$records LD_PRELOAD=$preload "$@" 2>"$out/stderr" && rc=0 ||
		rc=$?
	[ ! -s "$out/stderr" ] || fail "$*: $(cat "$out/stderr")"
}

no_record() {
	[ -z "$(ls "$records")" ] || fail "left a record: $(ls "$records")"
}

for bind in "" 1; do
	export LD_BIND_NOW="$bind"
	under /bin/true
	[ "$rc" -eq 0 ] || fail "true ended with $rc"
	under /bin/false
	[ "$rc" -eq 1 ] || fail "false ended with $rc"
	# shellcheck disable=SC2016 # it is the inner shell's
	under sh -c 'echo "b a" | tr " " "\n" | sort | (read -r x; exit $(
		[ "$x" = a ] && echo 4))'
	[ "$rc" -eq 4 ] || fail "a pipeline ended with $rc"
	under timeout "$limit" mpiexec.mpich -n 2 /bin/true
	[ "$rc" -eq 0 ] || fail "a job without MPI ended with $rc"
	no_record

	# The library itself, function by function: none of ours in between.
	under timeout "$limit" mpiexec.mpich -n 2 "$host" libmpich.so.12
	[ "$rc" -eq 0 ] || fail "dlopen of libmpich: ended with $rc"
	no_record

	# A plugin that is linked with it: that one is recorded.
	under timeout "$limit" mpiexec.mpich -n 2 "$host" "$plugin"
	[ "$rc" -eq 0 ] || fail "a plugin: ended with $rc"
	[ "$(calls "$(the_record)" | grep -c 'MPI_Allreduce 1 4 4$')" -eq 2 ] ||
		fail "a plugin: its calls are not in the record"
	forget
done
