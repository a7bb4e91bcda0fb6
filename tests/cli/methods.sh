#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: methods.sh
# `bcs bench methods` makes trees of what it measures, and gives those to BCS_TREE that
# are better than the built-in choice: by a launcher whose times are known.
. "$BCS_SOURCE/tests/cli/record.sh"

command -v mpichversion >/dev/null || {
	echo "skipped: no MPICH"
	exit 77
}
export BCS_RESULTS="$PWD/results"

# In us: linear takes 10, pairwise 14 but 5 from 4 KiB on; the built-in choice takes $auto.
cat >launcher <<'END'
#!/bin/sh
ranks=$2
shift 5 # -n N PROGRAM BLOCKS COLLECTIVE
for size in $(echo "$1" | tr , ' '); do
	best=$((size < 4096 ? 10 : 5))
	echo "$size linear:0 10"
	echo "$size pairwise:0 $((size < 4096 ? 14 : 5))"
	echo "$size auto ${auto:-10}"
	for tree; do
		case $tree in
		*=*) grep -q '^method pairwise 0' "${tree#*=}" && echo "$size ${tree%%=*} $best" ;;
		esac
	done
done
echo "$ranks" >>ranks
END
chmod +x launcher
methods() {
	"$bcs" bench methods --repetitions 2 --ranks 2,4 --bytes 8,4096,65536 \
		--launcher ./launcher "$@" >said || fail "status $?: $(cat said)"
}
methods alltoall allgather
grep -qx "export BCS_TREE=$PWD/results/methods-alltoall.tree,$PWD/results/methods-allgather.tree" \
	said || fail "not the trees: $(cat said)"
for line in "the exact tree 0.0 0.0 0.0 0.0 0.0 0.0 -" \
	"the built-in choice 66.7 100.0 100.0 66.7 100.0 100.0 20"; do
	[ "$(tr -s ' ' <said | grep -cx "$line")" -eq 2 ] || fail "no $line: $(cat said)"
done
for line in alltoall,2,8,linear,0,0.000010000,bcs alltoall,4,4096,pairwise,0,0.000005000,bcs; do
	grep -qx "$line" results/methods-alltoall.csv ||
		fail "no $line: $(cat results/methods-alltoall.csv)"
done
grep -qx "collective alltoall" results/methods-alltoall.tree || fail "no tree"
sort -u ranks | tr '\n' ' ' | grep -qx "2 4 " || fail "other ranks: $(cat ranks)"

# Where the built-in choice is as good, there is nothing to take.
export auto=5
methods alltoall
grep -q "^no tree is better than the built-in choice" said || fail "a tree of nothing: $(cat said)"

# Ctrl-C keeps what was measured.
cat >slow <<'END'
#!/bin/sh
sleep .1
exec ./launcher "$@"
END
chmod +x slow
rm -r results ranks
touch ranks
env --default-signal=INT "$bcs" bench methods --repetitions 9999 --ranks 2 --bytes 8,4096 \
	--launcher ./slow alltoall >said 2>&1 &
pid=$!
until [ "$(wc -l <ranks)" -gt 2 ]; do
	sleep .1
done
rc=0
kill -INT $pid
wait $pid || rc=$?
[ $rc -eq 130 ] || fail "status $rc, not 130: $(cat said)"
grep -q "^Ended early.  The measurements are in $PWD/results/methods-" said ||
	fail "not said: $(cat said)"
grep -qx "alltoall,2,4096,pairwise,0,0.000005000,bcs" results/methods-alltoall.csv ||
	fail "lost: $(cat said)"

fails 2 "methods: --bytes takes two sizes at least" "$bcs" bench methods --bytes 8
fails 2 "methods: --bytes takes numbers from 8 on, not 4" "$bcs" bench methods --bytes 4,8
fails 2 "methods: --repetitions takes numbers from 2 on, not 1" \
	"$bcs" bench methods --repetitions 1
fails 2 "methods: scan is none of bcast" "$bcs" bench methods scan
fails 2 "methods: no option --rank; see --help" "$bcs" bench methods --rank=2
printf '#!/bin/sh\necho no such host >&2\nexit 1\n' >broken
chmod +x broken
"$bcs" bench methods --launcher ./broken bcast >said 2>&1 && fail "a broken launcher"
grep -q "methods: the launch of 2 ranks failed: ./broken" said || fail "not told: $(cat said)"
