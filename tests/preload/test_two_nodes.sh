#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_two_nodes.sh TRAFFIC SAGE SWEEP FABRIC_NET SAME_BITS BCS_COLL SEEDS ROUNDS
# CASES TRIES
# On two nodes, three and four, namespaces that are made here and taken away again, all
# that programs/traffic.c sends arrives, each has its part of the record, programs find
# what they find alone, and the core primitives over MPI are right; sums have MPICH's bits.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"
# shellcheck source=benchmarks/lib/two_nodes.sh
. "$BCS_SOURCE/benchmarks/lib/two_nodes.sh"

traffic=$1
sage=$2
sweep=$3
fabric_net=$4
same_bits=$5
bcs_coll=$6
seeds=$7
rounds=$8 # of traffic
cases=$9  # of reductions, by chance
shift 9
tries=$1 # of the core primitives, where chance is needed
bcs=$BCS_BUILD/analyzer/bcs
ranks=4
each=2 # ranks of a node
class= # of the scheduler
trap 'two_nodes_end; rm -rf "$out"' EXIT
two_nodes_make "$out" 2>"$out/why" || skip "$(cat "$out/why")"

# across MODE PROGRAM ARGUMENTS...
across() {
	BCS_MODE=$1
	export BCS_MODE
	shift
	# shellcheck disable=SC2046,SC2086 # several arguments
	BCS_OUT=$records LD_PRELOAD=$preload timeout -k 5 "$limit" ip netns \
		exec $node_a $class mpiexec.mpich $(two_nodes_hosts $each) \
		-n $ranks "$@" </dev/null >"$out/stdout" 2>"$out/stderr" ||
		fail "$BCS_MODE $*: $(cat "$out/stdout" "$out/stderr")"
}

# traffic MODE ARGUMENTS...
traffic() {
	mode=$1
	shift
	across "$mode" "$traffic" "$@"
	grep -q ' 0 errors' "$out/stdout" ||
		fail "$mode $*: $(cat "$out/stdout" "$out/stderr")"
}

# alike PROGRAM ARGUMENTS...: it prints "SECONDS CHECK".
alike() {
	expected=$(native 1 "$@" | cut -d ' ' -f 2)
	for mode in demand fixed; do
		across $mode "$@"
		[ "$(cut -d ' ' -f 2 "$out/stdout")" = "$expected" ] ||
			fail "$mode $*: not as alone: $(cat "$out/stdout")"
	done
}

# In a folder that is not there yet.
records=$out/own/new
BCS_EMDS=on traffic fixed 1 2
for node in $node_a $node_b; do
	set -- "$out/$node"/new/*.bcs/*.gz
	[ $# -eq 2 ] || fail "$node wrote $*"
done
"$bcs" merge "$out/one.bcs" \
	"$out/$node_a"/new/*.bcs "$out/$node_b"/new/*.bcs
[ "$(cd "$out/one.bcs" && echo *.gz)" = \
	"rank-000000.gz rank-000001.gz rank-000002.gz rank-000003.gz" ] ||
	fail "merged: $(ls "$out/one.bcs")"
# One of each node.
set -- "$out"/one.bcs/*.slices
[ $# -eq 2 ] || fail "merged: $*"
# Slices have one number everywhere: a second is 4000 of them.
for node in $node_a $node_b; do
	"$bcs" slices --csv "$out/$node"/new/*.bcs |
	awk -F , 'NR > 1 && $2 > 1000000 { bad = 1 }
		END { exit NR < 10 || bad }' ||
		fail "the slices of $node: $("$bcs" slices "$out/$node"/new/*.bcs)"
done
"$bcs" slices "$out/one.bcs" >"$out/slices" 2>"$out/said"
[ "$(grep -c 'on 2 nodes' "$out/slices")$(cat "$out/said")" = 1 ] ||
	fail "the slices of both: $(cat "$out/said" "$out/slices")"
records=$out/records

for seed in $(seq "$seeds"); do
	traffic demand "$seed" "$rounds" collectives
	traffic fixed "$seed" "$rounds" collectives
	traffic observe "$seed" "$rounds"
done
# MPICH mostly hangs in MPI_Finalize (pmpi-shim/mpich/leave.c).
traffic observe 1 1

# In the real-time class nobody takes a core from who waits: MPI_Finalize sleeps, and
# must not hold MPI's lock meanwhile, for slices go on, idle ones as well.
if chrt -r 10 true 2>"$out/why"; then
	ranks=2 each=1 class="chrt -r 10"
	for _ in 1 2; do
		BCS_SLICE=1ms BCS_EMDS=every traffic fixed 1 1
	done
	ranks=4 each=2 class=
fi

alike "$sage" 20 10
alike "$sweep" blocking 9 2

# As many on each; more on the first; and one on the third, below.
for mode in demand fixed; do
	ranks=4
	across $mode "$same_bits" rows 4 "$cases"
	ranks=3
	across $mode "$same_bits" 3 "$cases"
done
ranks=4

# Without the preload MPI_Finalize hangs, as above.
for mode in observe demand; do
	across $mode "$fabric_net" "$tries"
	[ "$(grep -c ': right$' "$out/stdout")" = $ranks ] ||
		fail "$mode $fabric_net: $(cat "$out/stdout" "$out/stderr")"
done

# bcs.h, on demand and by the strobe, and its record: a file for each process, or node.
records=$out/own/api
for slice in 0 500; do
	BCS_EMDS=on across observe "$bcs_coll" $slice alike
	[ "$(grep -c ': right$' "$out/stdout")" = $ranks ] ||
		fail "bcs.h, $slice us: $(cat "$out/stdout" "$out/stderr")"
done
for node in $node_a $node_b; do
	set -- "$out/$node"/api/*.bcs/*.slices
	[ $# -eq 3 ] || fail "$node wrote $*, of two runs of bcs.h"
done
records=$out/records

two_nodes_third "$out" || fail "no third node"
ranks=6
records=$out/own/three
for mode in demand fixed observe; do
	traffic $mode 3 "$rounds" collectives
done
for node in $two_nodes; do
	set -- "$out/$node"/three/*.bcs/*.gz
	[ $# -eq 6 ] || fail "$node wrote $*, of three runs"
done
alike "$sweep" nonblocking 9 2
ranks=5
for mode in demand fixed; do
	across $mode "$same_bits" 5 "$cases"
done
ranks=6
across demand "$fabric_net" $((tries / 4 + 1))
[ "$(grep -c ': right$' "$out/stdout")" = $ranks ] ||
	fail "3 nodes, $fabric_net: $(cat "$out/stdout" "$out/stderr")"

# With four nodes, one adds the sum of another to its own, and sends that to the root.
# Case 9 of this seed is such a reduction.
two_nodes_fourth "$out" || fail "no fourth node"
ranks=8
across fixed "$same_bits" 8 8 7
