#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_tree_mpich.sh SUMS TRAFFIC
# MPICH takes the tuning file that `bcs tree` writes, and does as it says.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

sums=$1
traffic=$2
bcs=$BCS_BUILD/analyzer/bcs
unset LD_PRELOAD

# measured COLLECTIVE SMALL LARGE: the one is the best below 4 KiB, the other above.
measured() {
	echo collective,processes,bytes,algorithm,segment,seconds,library
	for p in 2 3 8; do
		echo "$1,$p,8,$2,0,1e-6,mpich
			$1,$p,8,$3,0,2e-6,mpich
			$1,$p,4096,$2,0,2e-6,mpich
			$1,$p,4096,$3,0,1e-6,mpich" | tr -d '\t'
	done
}

# takes RANKS PROGRAM...: it runs with the file.
takes() {
	MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$out/rules.json \
		native "$@" >"$out/stdout" 2>"$out/stderr" || {
		cat "$out/stderr" >&2
		fail "MPICH did not take the rules: $*"
	}
	[ ! -s "$out/stderr" ] || fail "MPICH says: $(cat "$out/stderr")"
}

for rules in \
	"allgather brucks ring" \
	"allgather recursive_doubling brucks" \
	"allgather ring recursive_doubling" \
	"alltoall brucks pairwise" \
	"alltoall scattered brucks" \
	"barrier dissemination dissemination" \
	"allreduce recursive_doubling reduce_scatter_allgather" \
	"allreduce reduce_scatter_allgather recursive_doubling" \
	"bcast binomial scatter_ring_allgather" \
	"bcast scatter_recursive_doubling_allgather binomial" \
	"reduce binomial reduce_scatter_gather" \
	"reduce reduce_scatter_gather binomial"; do
	# shellcheck disable=SC2086
	measured $rules | awk -F , '!seen[$1, $2, $3, $4]++' >"$out/times.csv"
	"$bcs" tree --emit=mpich "$out/times.csv" >"$out/rules.json"
	takes 2 "$sums" 3
	takes 3 "$traffic" 1 2 collectives
	grep -q ' 0 errors' "$out/stdout" || fail "$rules: $(cat "$out/stdout")"
done

# A file of several collectives is of all; the sizes of an allgather are those of all
# processes, and one that MPICH cannot be told of keeps MPICH's rule.
{
	measured allgather ring brucks
	measured alltoall brucks pairwise | sed 1d
	measured bcast scatter_ring_allgather binomial | sed 1d
	measured scan linear ring | sed 1d
} | sed '/^allgather,[28]/d' >"$out/times.csv"
"$bcs" tree --emit=mpich "$out/times.csv" >"$out/rules.json" 2>"$out/stderr"
grep -q "scan: left out: no scan that MPICH can be told" "$out/stderr" ||
	fail "scan: $(cat "$out/stderr")"
for rule in '"total_msg_size<=12285":{"algorithm=MPIR_Allgather_intra_ring":{}}' \
	'"avg_msg_size<=4095":{"is_sendbuf_inplace=yes"' \
	'"avg_msg_size<=4095":{"algorithm=MPIR_Bcast_intra_scatter_ring_allgather":{}}'; do
	grep -qF "$rule" "$out/rules.json" || fail "not there: $rule"
done
[ "$(grep -c '^"collective=' "$out/rules.json")" -eq 44 ] || fail "not 44 collectives"
takes 2 "$sums" 3
takes 3 "$traffic" 1 2 collectives
grep -q ' 0 errors' "$out/stdout" || fail "several: $(cat "$out/stdout")"

# What MPICH takes by itself, where that was the best: its own rule, within ours.
for collective in allgather allreduce alltoall barrier bcast reduce; do
	measured $collective mpi recursive_doubling >"$out/times.csv"
	sed -i '1s/$/,choice/; /,mpi,/s/$/,default/; /recursive/s/$/,forced/' \
		"$out/times.csv"
	"$bcs" tree --emit=mpich "$out/times.csv" >"$out/rules.json" \
		2>"$out/stderr"
	takes 2 "$sums" 3
	takes 3 "$traffic" 1 2 collectives
	grep -q ' 0 errors' "$out/stdout" || fail "$collective: $(cat "$out/stdout")"
done

# It reads what we wrote: an algorithm that it does not have ends it.
sed 's/MPIR_Reduce_intra_binomial/MPIR_Reduce_intra_nothing/' \
	"$out/rules.json" >"$out/wrong.json"
MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$out/wrong.json \
	native 2 "$sums" 1 >"$out/stdout" 2>&1 &&
	fail "an algorithm that MPICH does not have was taken"
grep -q MPIR_Reduce_intra_nothing "$out/stdout" ||
	fail "it was for another reason: $(cat "$out/stdout")"
