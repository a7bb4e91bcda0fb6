#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_methods.sh TRAFFIC SUMS PIECES TIMES
# Broadcasts and reductions are right in every way to do them, whole and in pieces,
# between nodes, too.  So are exchanges in the ways of trees; and a sum of floating-point numbers has the same bits each time,
# with others on the cores, on demand and by time.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

traffic=$1
sums=$2
pieces=$3
times=$4

for method in linear binary binomial split-binary pipeline striped nodes; do
	for piece in "" $pieces; do
		export BCS_REDUCE="$method$piece"
		export BCS_BCAST="$method$piece"
		[ $method != striped ] || BCS_BCAST=auto
		[ $method != nodes ] || export BCS_NODE_SIZE=2
		observed 5 "$traffic" 7 3 collectives >"$out/stdout"
		grep -q ' 0 errors' "$out/stdout" ||
			fail "$method$piece: $(cat "$out/stdout")"
	done
	unset BCS_REDUCE BCS_BCAST
done
unset BCS_NODE_SIZE

# tree FILE COLLECTIVE METHOD...: a tree for up to 2 processes, and for more.
tree() {
	{
		printf 'bcs-tree 1\ncollective %s\n' "$2"
		printf 'method %s\n' "$3" "$4"
		printf 'bytes 0 64 2048\nrow 0 0 0 0\nrow 3 0 1 0\nend\n'
	} >"$1"
}

# A tree chooses, but not where it is said how; a bad one is told of.
tree "$out/bcast" bcast "binary 0" "pipeline 512"
tree "$out/reduce" reduce "binomial 0" "striped 256"
tree "$out/allreduce" allreduce "linear 0" "pipeline 256"
tree "$out/allgather" allgather "ring 0" "pairwise 0"
tree "$out/alltoall" alltoall "linear 0" "pairwise 0"
tree "$out/bad" bcast "linear 0" "spiral 0"
trees=$out/bcast,$out/reduce,$out/allreduce
export BCS_TREE="$trees,$out/allgather,$out/alltoall"
observed 5 "$traffic" 7 3 collectives >"$out/stdout" 2>"$out/stderr"
grep -q ' 0 errors' "$out/stdout" || fail "trees: $(cat "$out/stdout")"
[ ! -s "$out/stderr" ] || fail "trees: $(cat "$out/stderr")"
BCS_TREE=$out/bad observed 2 "$traffic" 7 1 collectives >"$out/stdout" 2>"$out/stderr"
grep -q "BCS_TREE: $out/bad: .*spiral.*without it" "$out/stderr" ||
	fail "not told of a bad tree: $(cat "$out/stderr")"
BCS_TREE=$out/none observed 2 "$traffic" 7 1 collectives >"$out/stdout" 2>"$out/stderr"
grep -q "none: No such file" "$out/stderr" || fail "not told of a missing tree"
for bad in "alltoall|ring 0" "allgather|ring 1024" "bcast|ring 0"; do
	tree "$out/bad" "${bad%|*}" "linear 0" "${bad#*|}"
	BCS_TREE=$out/bad observed 2 "$traffic" 7 1 >"$out/stdout" 2>"$out/stderr"
	grep -q "bad: .*no ${bad%|*} of kind ring" "$out/stderr" ||
		fail "not told of a tree of $bad: $(cat "$out/stderr")"
done
mkfifo "$out/pipe"
BCS_TREE=$out/pipe observed 2 "$traffic" 7 1 collectives >"$out/stdout" 2>"$out/stderr"
grep -q "BCS_TREE: $out/pipe: is a pipe, .*without it" "$out/stderr" ||
	fail "not told of a tree that is a pipe"

# rounds [NAME=VALUE]: of all processes, in the sums below or in another program.
program="$sums 3"
rounds() {
	forget
	# shellcheck disable=SC2086 # several words
	env "$@" BCS_EMDS=on BCS_OUT="$records" LD_PRELOAD="$preload" \
		timeout -k 5 "$limit" mpiexec.mpich -n 3 $program >/dev/null
	"$BCS_BUILD/analyzer/bcs" slices --csv --metric=ncollmsm "$(the_record)" |
		awk -F , '{ sum += $4 } END { print sum }'
}
unset BCS_TREE
sed -i 's/^row 3.*/row 3 1 1 1/' "$out/allreduce"
one=$(rounds A=1)
[ "$(rounds BCS_TREE="$out/allreduce")" -gt "$one" ] ||
	fail "the tree's pieces are not taken"
[ "$(rounds BCS_TREE="$out/allreduce" BCS_REDUCE=linear)" -eq \
	"$(rounds BCS_REDUCE=linear)" ] || fail "a tree in spite of BCS_REDUCE"
[ "$(rounds BCS_NODE_SIZE=2 BCS_REDUCE=nodes:1K)" -gt \
	"$(rounds BCS_NODE_SIZE=2)" ] || fail "two levels are not taken"
program="$traffic 7 2 collectives"
sed -i 's/^row 3.*/row 3 1 1 1/' "$out/alltoall"
sed -i 's/^row 3.*/row 3 0 0 0/' "$out/allgather"
straight=$(rounds A=1)
for collective in alltoall allgather; do
	[ "$(rounds BCS_TREE="$out/$collective")" -gt "$straight" ] ||
		fail "the tree's rounds of $collective are not taken"
done
forget

# The load is ended with the test.
(while :; do :; done) &
load=$!
trap 'kill $load; rm -rf "$out"' EXIT
for method in auto linear binomial:8K striped auto/1 auto/2; do
	case $method in
	*/*) export BCS_NODE_SIZE="${method#*/}" ;;
	esac
	reduce=${method%/*}
	method=$(echo "$method" | tr / -)
	for mode in demand fixed demand; do
		BCS_MODE=$mode BCS_REDUCE=$reduce observed 3 "$sums" "$times" \
			>>"$out/$method"
	done
	[ "$(sort -u "$out/$method" | wc -l)" -eq 1 ] ||
		fail "$method: not the same: $(sort -u "$out/$method")"
done
