#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_compare.sh
# `bcs compare` runs commands by turns, ends early where they clearly differ,
# and tells what it could not do.  tick (benchmarks/) takes as long as it is told.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

tick=$BCS_BUILD/benchmarks/tick
bcs=$BCS_BUILD/analyzer/bcs
cd "$out"

# compare STATUS ARGUMENT...: into the files said and told.
compare() {
	expected=$1
	shift
	status timeout -k 5 "$limit" "$bcs" compare "$@" >said 2>told 9>&-
	[ "$rc" -eq "$expected" ] ||
		fail "status $rc, not $expected: compare $*: $(cat said told)"
}

# says TEXT, tells TEXT: one line of what it printed, and of stderr.
says() {
	grep -qE -- "$1" said || fail "it does not say '$1': $(cat said told)"
}
tells() {
	grep -qE -- "$1" told || fail "it does not tell '$1': $(cat told)"
}

# files N PATTERN: so many are in the folder.
files() {
	n=$(find one -maxdepth 1 -name "$2" | wc -l)
	[ "$n" -eq "$1" ] || fail "$n files $2 instead of $1: $(ls one)"
}

run="mpiexec.mpich -n 2 $tick barrier"
# shellcheck disable=SC2086
{
	# A second longer is clear as soon as it can be, after five runs.  On a
	# busy machine a few runs more can be needed.
	compare 1 --runs=30 --out=one --fail-over=5% $run 20 10 : $run 50000 20
	says '^  A  .*tick barrier 20 10$'
	says '^  B is slower than A: \+.* % \([1-9][0-9]* runs of each, p = 0.00'
	says '^  Change .*slower, p = 0.00'
	runs=$(sed -n 's/^  B is slower.* (\([0-9]*\) runs of each.*/\1/p' said)
	case $runs in
	[5-9] | [12][0-9]) ;; # not all 30
	*) fail "$runs runs: $(cat said)" ;;
	esac
	tells "^bcs compare: B's wall time is longer by more than 5 %"
	tells '^bcs compare: the records are in one$'
	files "$runs" 'tick.a*.bcs'
	files "$runs" 'tick.b*.bcs'
	files 1 'warmup-b1.out'
	grep -qE '^[0-9.]+$' one/b5.out || fail "what it printed: $(cat one/b5.out)"
	compare 2 --out=one $run 20 10 : $run 20 10
	tells "^bcs compare: one: cannot be made: File exists"

	# Few runs cannot tell; modes; another command in the environment.
	compare 0 --runs=2 --warmup=0 --modes=demand,observe $run 20 10
	says 'tick barrier 20 10, mode observe$'
	says '^  B takes [0-9.]+ times as long as A; whether that is noise, 2 runs'
	says 'From scheduling \(demand\) to MPI.s own way'
	compare 0 --runs=1 --warmup=0 --json $run 20 10 : env BCS_MODE=fixed $run 20 10
	says '"mode": "fixed"'
	compare 0 --runs=1 --warmup=0 $run 20 10 : $run 20 20 : $run 20 30
	says '^  C takes'
	says '^A with C, which is B below$'

	# What fails is told with its output.
	compare 2 --out=two $run 20 10 : sh -c 'echo why; exit 3'
	tells 'run 1 of B ended with status 3; what it printed is in .*/two/.*b1.out$'
	grep -qx why two/warmup-b1.out || fail "what it printed is lost"
	compare 2 --warmup=0 $run 20 10 : true
	tells 'run 1 of B made no record \(only programs of MPICH and Open MPI make one\); what'
	compare 2 --warmup=0 $run 20 10 : /none
	tells 'none: command not found'
}
for words in '' true '--modes=demand,observe'; do
	# shellcheck disable=SC2086
	compare 2 $words
	tells "two commands with a ':' between them, or one with --modes"
done
compare 2 : true
tells "a command is missing"
compare 2 --modes=demand true
tells "--modes=demand"
compare 2 --modes=demand,fixed true : true
tells "--modes takes one command"
compare 2 --json true : true : true
tells "--json and --csv are of two commands"
BCS_MMDS=off compare 2 true : true
tells "leaves nothing to compare"

# Interrupted, it shows what it has.
# shellcheck disable=SC2086
"$bcs" compare --out=three --warmup=0 --runs=100 $run 10000 20 : $run 10000 20 \
	>said 2>told 9>&- &
until [ -e three/a2.out ] && [ -e three/b2.out ]; do
	kill -0 $! || fail "it ended: $(cat said told)"
	sleep 0.1
done
# What runs in the background of a shell ignores an interrupt.  MPICH's mpiexec may
# wait for ever if it is interrupted while it starts a job: the second one helps.
comparing=$!
kill -TERM $comparing
(
	sleep 10
	kill -TERM $comparing
) 2>/dev/null 9>&- &
again=$!
status wait $comparing
kill $again 2>/dev/null || true
[ "$rc" -eq 1 ] || fail "interrupted, it ends with $rc: $(cat said told)"
says '^Compared: wall time, the median of [1-9]'
tells 'interrupted: this is what was known by then'
