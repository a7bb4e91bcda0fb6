#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_tree_openmpi.sh PROGRAM
# Open MPI takes the rules that `bcs tree` writes, and does as they say.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
bcs=$BCS_BUILD/analyzer/bcs

command -v mpiexec.openmpi >/dev/null || skip "there is no Open MPI"
unset LD_PRELOAD

# broadcasts OPTION...: what a process says that one of 1 MiB takes.
broadcasts() {
	timeout -k 5 "$limit" mpiexec.openmpi --allow-run-as-root --oversubscribe \
		--mca btl self,vader -n 2 "$@" "$program" 2>"$out/stderr" |
		sort -n | head -n 1
}

# ruled FILE
ruled() {
	broadcasts --mca coll_tuned_use_dynamic_rules 1 \
		--mca coll_tuned_dynamic_rules_filename "$1"
}

cat >"$out/times.csv" <<END
collective,processes,bytes,algorithm,segment,seconds,library
bcast,2,64,binomial,0,1e-6,openmpi
bcast,2,64,pipeline,64,2e-6,openmpi
bcast,2,65536,binomial,0,2e-6,openmpi
bcast,2,65536,pipeline,64,1e-6,openmpi
END
"$bcs" tree --emit=openmpi "$out/times.csv" >"$out/rules"

as_it_is=$(broadcasts)
[ -n "$as_it_is" ] || skip "Open MPI does not run: $(head -n 3 "$out/stderr")"
by_rules=$(ruled "$out/rules")
[ -n "$by_rules" ] || fail "not with the rules: $(cat "$out/stderr")"
# A MiB in pieces of 64 bytes takes many times as long.
[ "$by_rules" -gt $((3 * as_it_is)) ] ||
	fail "the rules do nothing: $as_it_is us, with them $by_rules us"

sed 's/^65536 3 /65536 99 /' "$out/rules" >"$out/wrong"
[ -z "$(ruled "$out/wrong")" ] || fail "an algorithm that is none was taken"

# The sizes in the rules are those of one process, or of all together.  The rules below
# have an algorithm that does not exist from 32 KiB on: then a call of 32 KiB fails, and
# one of a byte less does not.
{
	echo collective,processes,bytes,algorithm,segment,seconds,library
	for collective in allgather allreduce alltoall bcast gather reduce \
		reduce_scatter reduce_scatter_block scatter; do
		# No algorithm that calls other collectives: these have rules, too.
		first=linear
		other=binomial
		case $collective in
		allgather) first=bruck other=ring ;;
		allreduce) other=ring ;;
		alltoall) other=pairwise ;;
		reduce_scatter) first=recursive-halving other=ring ;;
		reduce_scatter_block) first=recursive-doubling other=butterfly ;;
		esac
		echo $collective,2,64,$first,0,1e-6,openmpi
		echo $collective,2,64,$other,0,2e-6,openmpi
		echo $collective,2,32768,$first,0,2e-6,openmpi
		echo $collective,2,32768,$other,0,1e-6,openmpi
	done
} >"$out/all.csv"
"$bcs" tree --emit=openmpi "$out/all.csv" | awk '
/^[0-9]+ [0-9]+ 0 [0-9]+ # / && $1 > 0 { $2 = 99 }
{ print }' >"$out/limits"
[ "$(grep -c ' 99 0 ' "$out/limits")" -eq 9 ] || fail "$(cat "$out/limits")"

words=
for name in Allgather Allreduce Alltoall Bcast Gather Reduce Reduce_scatter \
	Reduce_scatter_block Scatter; do
	words="$words $name:32767 $name:32768"
	printf '%s 32767: done\n%s 32768: refused\n' "$name" "$name"
done >"$out/expected"
# shellcheck disable=SC2086 # several words
timeout -k 5 "$limit" mpiexec.openmpi --allow-run-as-root --oversubscribe \
	--mca btl self,vader --mca coll_tuned_use_dynamic_rules 1 \
	--mca coll_tuned_dynamic_rules_filename "$out/limits" \
	-n 2 "$program" $words >"$out/said" 2>"$out/stderr" || fail "$(cat "$out/stderr")"
diff -u "$out/expected" "$out/said" || fail "its sizes are not those of the file"
