#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_two_nodes.sh PROGRAM
# On two nodes, namespaces that are made here and taken away again, all that
# programs/traffic.c sends arrives, and each has its part of the record.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"
# shellcheck source=benchmarks/lib/two_nodes.sh
. "$BCS_SOURCE/benchmarks/lib/two_nodes.sh"

program=$1
bcs=$BCS_BUILD/analyzer/bcs
trap 'two_nodes_end; rm -rf "$out"' EXIT
two_nodes_make "$out" 2>"$out/why" || skip "$(cat "$out/why")"

# across MODE ARGUMENTS...
across() {
	BCS_MODE=$1
	export BCS_MODE
	shift
	# shellcheck disable=SC2046 # several arguments
	BCS_OUT=$records LD_PRELOAD=$preload timeout -k 5 "$limit" \
		ip netns exec $node_a mpiexec.mpich $(two_nodes_hosts 2) \
		-n 4 "$program" "$@" \
		</dev/null >"$out/stdout" 2>"$out/stderr" ||
		fail "$BCS_MODE $*: $(cat "$out/stdout" "$out/stderr")"
	grep -q ' 0 errors' "$out/stdout" ||
		fail "$BCS_MODE $*: $(cat "$out/stdout" "$out/stderr")"
}

# In a folder that is not there yet.
records=$out/own/new
BCS_EMDS=on across fixed 1 2
for node in $node_a $node_b; do
	set -- "$out/$node"/new/*.bcs/*.gz
	[ $# -eq 2 ] || fail "$node wrote $*"
done
"$bcs" merge "$out/one.bcs" \
	"$out/$node_a"/new/*.bcs "$out/$node_b"/new/*.bcs
[ "$(ls "$out/one.bcs")" = "rank-000000.gz
rank-000000.slices
rank-000001.gz
rank-000001.slices
rank-000002.gz
rank-000002.slices
rank-000003.gz
rank-000003.slices" ] || fail "merged: $(ls "$out/one.bcs")"
# Slices have one number everywhere: a second is 4000 of them.
for node in $node_a $node_b; do
	"$bcs" slices --csv "$out/$node"/new/*.bcs |
	awk -F , 'NR > 1 && $2 > 1000000 { bad = 1 }
		END { exit NR < 10 || bad }' ||
		fail "the slices of $node: $("$bcs" slices "$out/$node"/new/*.bcs)"
done
records=$out/records

for seed in 1 2; do
	across demand $seed 6 collectives
	across fixed $seed 6 collectives
	across observe $seed 6
done
# MPICH mostly hangs in MPI_Finalize (pmpi-shim/leave_ucx.c).
for _ in 1 2 3 4; do
	across observe 1 1
done
