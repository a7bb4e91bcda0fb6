#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Table 2.1: the core primitives by the number of processes, and how they grow.
# usage: tools/bench.sh primitives [--repetitions N] [PART]...
# PART: node, in shared memory; net, over MPI: ranks of a machine, and as root of two
# nodes that are made of it, where MPI gives up the core as it waits (BCS_POLITE).
# Both by default.  Medians of N (5) runs, each of the least of several stretches.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
repetitions=5
limit=60
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/plot.sh
. "$root/benchmarks/lib/plot.sh"
# shellcheck source=benchmarks/lib/two_nodes.sh
. "$root/benchmarks/lib/two_nodes.sh"
arguments "node net" "$@"
trap 'two_nodes_end; rm -rf "$tmp"' EXIT

# fit COLUMN: a + b n and a + b log2 n by least squares, and the better of them.
fit() {
	awk -v column="$1" '
	{ n[NR] = $1; y[NR] = $column }
	function line(kind,    i, x, sx, sy, sxx, sxy, d, r) {
		for (i = 1; i <= NR; i++) {
			x = kind == "n" ? n[i] : log(n[i]) / log(2)
			sx += x; sy += y[i]; sxx += x * x; sxy += x * y[i]
		}
		slope[kind] = (NR * sxy - sx * sy) / (NR * sxx - sx * sx)
		first[kind] = (sy - slope[kind] * sx) / NR
		for (i = 1; i <= NR; i++) {
			x = kind == "n" ? n[i] : log(n[i]) / log(2)
			d = first[kind] + slope[kind] * x - y[i]
			r += d * d
		}
		return r
	}
	END {
		by = line("n") < line("log2 n") ? "n" : "log2 n"
		printf "%.3f + %.3f %s\n", first[by], slope[by], by
	}' "$tmp/table"
}

# medians ROWS COLUMNS: of each of its columns, in a line.
medians() {
	for column in $(seq "$2"); do
		awk -v column="$column" '{ print $column }' "$1" | sort -n |
			sed -n "$(((repetitions + 1) / 2))p"
	done | paste -s -d ' ' -
}

node() {
	rm -f "$tmp/table"
	printf '\n%10s %22s %22s %14s\n' processes "compare-and-write, us" \
		"64 KiB to all, us" "MB/s, of all"
	for n in 2 4 8 16 32 64 128; do
		rm -f "$tmp/rows"
		for _ in $(seq "$repetitions"); do
			timeout "$limit" "$programs/primitives" $n 65536 \
				>>"$tmp/rows"
		done
		medians "$tmp/rows" 4 >"$tmp/row"
		cat "$tmp/row" >>"$tmp/table"
		awk '{ printf "%10d %22.3f %22.3f %14.0f\n", $1, $2, $3, $4 }' \
			"$tmp/row"
		# shellcheck disable=SC2046 # four numbers
		set -- $(cat "$tmp/row")
		result primitives processes "$1" compare_us "$2" \
			transfer_us "$3" mb_s "$4"
	done
	cat <<-END

		growth, us: compare-and-write $(fit 2)
		            64 KiB to all     $(fit 3)
	END
	{
		echo "processes compare-and-write 64-KiB-to-all"
		cut -d ' ' -f 1-3 "$tmp/table"
	} | plot "core primitives" processes us >"$results/primitives.svg"
}

# over_mpi WHERE RANKS: a row of $tmp/table.
over_mpi() {
	turns polite "$2" "$programs/primitives_net" 65536
	medians "$tmp/polite" 6 >"$tmp/row"
	cat "$tmp/row" >>"$tmp/table"
	awk '{
		printf "%10d %14.1f %14.1f %12.1f %8.0f %14.1f\n", $1, $2, $3,
			$4, $5, $6
	}' "$tmp/row"
	where=$1
	# shellcheck disable=SC2046 # six numbers
	set -- $(cat "$tmp/row")
	result "primitives over MPI, $where" processes "$1" compare_us "$2" \
		compare_last_us "$3" transfer_us "$4" mb_s "$5" tree_us "$6"
}

over_mpi_head() {
	rm -f "$tmp/table"
	printf '\n%-18s %21s %12s %8s %14s\n' "$1" \
		"compare-and-write, us" "64 KiB to" "MB/s," "MPI_Allreduce,"
	printf '%10s %14s %14s %12s %8s %14s\n' processes "by the first" \
		"by the last" "all, us" "of all" us
}

# messages: what a compare-and-write of the first takes of them, by its tree; the first
# handles as many as its children and the chain is as long as the tree is deep, down
# and up, once to compare and once to write (libbcs/core/fabric_tree.c).
messages() {
	awk '
	function logarithm(n) { return n > 1 ? 1 + logarithm(int(n / 2)) : 0 }
	{
		handled = handled " " 4 * logarithm($1)
		chain = chain " " 4 * logarithm($1 + 1)
	}
	END {
		print "messages of a compare-and-write by the first: it handles" \
			handled ", one after the other" chain
	}' "$tmp/table"
}

net() {
	over_mpi_head "a machine, over MPI"
	for n in 2 4 8 16; do
		over_mpi "of a machine" $n
	done
	echo "growth, us: compare-and-write $(fit 2)"
	messages
	two_nodes_make "$tmp" || return 0
	over_mpi_head "two nodes"
	for n in 1 2 4; do
		mpiexec="ip netns exec $node_a mpiexec.mpich $(two_nodes_hosts $n)"
		over_mpi "of two nodes" $((2 * n))
	done
	echo "growth, us: compare-and-write $(fit 2)"
	messages
}

about
for part in $parts; do
	$part
done
cat <<-END

	the paper's table 2.1, of networks   compare-and-write, us   MB/s
	Gigabit Ethernet                     46 log n                not available
	Myrinet                              20 log n                15 n
	Infiniband                           20 log n                not available
	QsNet                                less than 10            more than 150 n
	BlueGene/L                           less than 2             700 n
END
