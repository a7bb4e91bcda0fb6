#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_shared_memory.sh PROGRAM NO_MEMFD
# Where /dev/shm is as small as MPI itself can do with, the preload ends no program:
# programs/fills.c uses all of the memory that processes share.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
without_memfd=$2

{ [ "$(id -u)" -eq 0 ] && unshare --mount mount -t tmpfs tmpfs /dev/shm; } \
	2>/dev/null || skip "cannot mount a /dev/shm"

# within OPTIONS COMMAND...: with a /dev/shm of its own.
within() {
	options=$1
	shift
	# shellcheck disable=SC2016
	timeout -k 5 "$limit" unshare --mount sh -c '
		mount -t tmpfs -o "$1" tmpfs /dev/shm
		shift
		exec "$@"' sh "$options" "$@" >"$out/stdout" 2>"$out/stderr"
}

# runs WHAT RANKS OPTIONS [SETTING...]
runs() {
	what=$1
	ranks=$2
	options=$3
	shift 3
	status within "$options" env BCS_OUT="$records" LD_PRELOAD="$preload" \
		"$@" mpiexec.mpich -n "$ranks" "$program"
	if [ "$rc" -ne 0 ] || ! grep -q '^0 errors' "$out/stdout"; then
		cat "$out/stdout" "$out/stderr" >&2
		fail "$what: $ranks ranks ended with $rc"
	fi
}

# enough RANKS FROM TO: in $least, MiB that MPI itself runs with.
enough() {
	least=$2
	while ! within "size=${least}m" mpiexec.mpich -n "$1" "$program"; do
		least=$((least + 1))
		[ "$least" -le "$3" ] || fail "MPI needs more than $3 MiB"
	done
}

# MPICH 4.2 runs with 1 MiB, 4.0 does not.
enough 2 1 64
for mode in demand fixed; do
	for mib in "$least" $((least + 1)) $((least + 3)); do
		runs "$mib MiB, $mode" 2 "size=${mib}m" BCS_MODE="$mode"
	done
done
runs "nodes of 1" 2 "size=${least}m" BCS_MODE=demand BCS_NODE_SIZE=1
# holds RANKS: MPI itself runs with as many in a little less than 64 MiB, each time.
holds() {
	for _ in 1 2 3 4; do
		within size=60m mpiexec.mpich -n "$1" "$program" || return 1
	done
}

# 64 MiB is what Docker gives to a container.  Ranks of MPICH 4.2 and later take more
# each, and 14 of them often end in MPI_Init.
many=14
while ! holds "$many"; do
	many=$((many - 2))
	[ "$many" -ge 8 ] || fail "MPI has no room for 8 ranks"
done
[ "$many" -eq 14 ] || echo "MPI itself has no room for 14 ranks: $many" >&2
runs "64 MiB" "$many" size=64m BCS_MODE=demand
runs "64 MiB, nodes of 2" "$many" size=64m BCS_MODE=demand BCS_NODE_SIZE=2

# MPICH 5.0 of Debian sees a node for each process and has no window for two.
cat >"$out/node.c" <<'END'
#include <mpi.h>
#include <stddef.h>
int main(void)
{
	MPI_Comm node;
	int size;

	MPI_Init(NULL, NULL);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
			    MPI_INFO_NULL, &node);
	MPI_Comm_size(node, &size);
	MPI_Finalize();
	return size != 2;
}
END
mpicc.mpich -o "$out/node" "$out/node.c"
native 2 "$out/node" || skip "the rest: MPI has no window that two share"

# Without our own memory there is MPI's window, if it has room for all of it.
both="$preload:$without_memfd"
runs "MPI's window" 2 size=64m BCS_MODE=demand LD_PRELOAD="$both"
[ ! -s "$out/stderr" ] || fail "MPI's window: said $(cat "$out/stderr")"
# The strobe has no place there: on demand, which is told and on record.
forget
runs "no slices" 2 size=64m BCS_MODE=fixed LD_PRELOAD="$both"
grep -q '^bcs: BCS_MODE=fixed found no memory for its slices' "$out/stderr" ||
	fail "no slices: said $(cat "$out/stderr")"
[ "$(value "$(the_record)/rank-000001.gz" mode)" = demand ] ||
	fail "no slices: recorded as $(value "$(the_record)/rank-000001.gz" mode)"
[ "$(table "$(the_record)/rank-000001.gz" notes text | grep -c BCS_MODE=fixed)" -eq 1 ] ||
	fail "no slices: no note in the record"
runs "no room" 2 "size=${least}m" BCS_MODE=demand LD_PRELOAD="$both"
grep -q '^bcs: messages cannot be scheduled here' "$out/stderr" ||
	fail "no room: said $(cat "$out/stderr")"

# What MPI cannot do without ends the program in MPI_Init, as it does natively.
[ "$least" -gt 1 ] || exit 0
status within size=1m env LD_PRELOAD="$preload" BCS_OUT="$records" \
	mpiexec.mpich -n 2 "$program"
[ "$rc" -ne 0 ] || fail "1 MiB: ran"
! grep -q 'Bus error' "$out/stdout" "$out/stderr" || fail "1 MiB: SIGBUS"
