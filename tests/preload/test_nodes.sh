#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_nodes.sh PROGRAM MODE SEEDS SIZES RANKS
# Between nodes: groups of processes of this machine stand for nodes, and all
# that programs/traffic.c sends arrives.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
export BCS_MODE="$2"
sizes=$4
ranks=$5
for seed in $(seq "$3"); do
	for size in $sizes; do
		for n in $ranks; do
			BCS_NODE_SIZE=$size observed "$n" "$program" "$seed" 6 \
				collectives >"$out/stdout"
			grep -q ' 0 errors' "$out/stdout" ||
				fail "seed $seed, $n ranks, $size a node:" \
					"$(cat "$out/stdout")"
		done
	done
done

# Where each process is a node of its own, all slices are of such messages, and
# those of all nodes are put together.
rm -rf "${records:?}"/*
BCS_NODE_SIZE=1 BCS_EMDS=on observed 2 "$program" 1 6 collectives >/dev/null
run=$(the_record)
"$BCS_BUILD/analyzer/bcs" slices --csv "$run" >"$out/slices"
[ "$(wc -l <"$out/slices")" -gt 100 ] || fail "messages were left to MPI"
"$BCS_BUILD/analyzer/bcs" slices "$run" >"$out/slices" 2>"$out/said"
[ "$(grep -cE ' 2 (nodes|processes)' "$out/slices")$(cat "$out/said")" = 1 ] ||
	fail "not of both nodes: $(cat "$out/said" "$out/slices")"
# What is waited for is within the time of the calls, while MPI is asked meanwhile.
for file in "$run"/*.gz; do
	table "$file" cells "waiting_ns time_ns call" |
		awk '$1 > 1.01 * $2 + 1000 { bad = 1; print } END { exit bad }' ||
		fail "waiting is longer than the calls in $file"
	# MPI itself has another, for a thread of ours.
	[ "$(value "$file" thread_level)" = single ] ||
		fail "$file: thread level $(value "$file" thread_level)"
done
# Slices of another run are not.
rm -rf "${records:?}"/*
BCS_NODE_SIZE=1 BCS_EMDS=on observed 2 "$program" 1 1 >/dev/null
cp "$(the_record)/rank-000001.slices" "$out/rank-000001.slices"
rm -rf "${records:?}"/*
BCS_NODE_SIZE=1 BCS_EMDS=on observed 2 "$program" 1 1 >/dev/null
run=$(the_record)
mv "$out/rank-000001.slices" "$run"
"$BCS_BUILD/analyzer/bcs" slices "$run" >/dev/null 2>"$out/said"
grep -q 'rank-000001.slices is of another run; it is left out' "$out/said" ||
	fail "of another run: $(cat "$out/said")"
