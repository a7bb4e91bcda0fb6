#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What goes between nodes in slices (BCS_MODE=demand) costs, beside MPICH itself.
# usage: tools/bench.sh nodes [--repetitions N] [PART]...
# PART: pairs, more, strobe; all of them by default: a process on each node, two
# on each, and what a strobe would cost on many, after the paper's table 2.1.  The
# two nodes are made of this machine, which takes root and namespaces.  Runs to be
# compared alternate; medians of N (7) runs.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=7
limit=120

# shellcheck source=benchmarks/lib/turns.sh
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/two_nodes.sh
. "$root/benchmarks/lib/two_nodes.sh"
arguments "pairs more strobe" "$@"
trap 'two_nodes_end; rm -rf "$tmp"' EXIT
two_nodes_make "$tmp"

# table PROCESSES_OF_A_NODE POLITE: that is what is compared with.
table() {
	mpiexec="ip netns exec $node_a mpiexec.mpich $(two_nodes_hosts "$1")"
	heading "us, 2 nodes with $1 each" "$2" demand ratio unrecorded \
		ratio bar
	# With more, pairs are within nodes.
	for test in "8 2.0" "4096 -" "65536 -" "1048576 1.25"; do
		[ "$1" = 1 ] || break
		turns "$2 demand bare" $((2 * $1)) "$programs/p2p" 0.3 \
			pingpong "${test% *}"
		row "ping-pong, ${test% *} bytes" "${test#* }" \
			"$(median "$2")" "$(median demand)" "$(median bare)"
	done
	for test in "barrier 0 -" "allreduce 8 1.5" "bcast 1024 -" \
		"allreduce 65536 -" "alltoall 1024 -"; do
		# shellcheck disable=SC2086 # three words
		set -- "$1" "$2" $test
		turns "$2 demand bare" $((2 * $1)) "$programs/coll" 0.3 "$3" "$4"
		row "$3, $4 bytes" "$5" "$(median "$2")" "$(median demand)" \
			"$(median bare)"
	done
}

pairs() {
	table 1 native
}

more() {
	table 2 polite
}

# Trees of messages that take as long as those just measured.  The compare-and-write
# of libbcs/core/fabric_net.h, which is such a tree behind a ticket, is beside it over two
# nodes alone: what a further one adds cannot be told where they share cores.
strobe() {
	mpiexec="ip netns exec $node_a mpiexec.mpich $(two_nodes_hosts 1)"
	turns polite 2 "$programs/primitives_net" 65536
	two=$(median polite 2)
	turns "native bare" 2 "$programs/p2p" 0.3 pingpong 8
	result strobe message_us "$(median bare)" mpich_message_us \
		"$(median native)" fabric_net_two_us "$two"
	printf '\n%-10s %22s %22s %26s\n' nodes "a strobe to all, us" \
		"compare-and-write, us" "of a slice of 250 us, %"
	for n in 16 64 256 1024 4096 10000; do
		echo $n "$(median bare)" | awk '{
			for (depth = 0; 2 ^ depth < $1; depth++)
				;
			printf "%-10d %22.1f %22.1f %26.1f\n", $1, depth * $2,
				2 * depth * $2, 100 * 2 * depth * $2 / 250
		}'
	done
	echo "(binomial trees of messages of $(median bare) us, measured;" \
		"MPICH's own take $(median native) us; by fabric_net, a tree" \
		"behind a ticket, a compare-and-write over two takes $two us)"
	echo "the paper's table 2.1: Gigabit Ethernet 46 log n us, Myrinet and" \
		"Infiniband 20 log n, QsNet < 10, BlueGene/L < 2"
}

about
for part in $parts; do
	$part
done
