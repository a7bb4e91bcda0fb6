#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_tutorial.sh
# Every command of the guide's tutorial works, one after the other, and shows what the
# text says.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# A tree of sources with its build, as the tutorial has it.
mkdir "$out/tree"
cd "$out/tree"
ln -s "$BCS_BUILD" build
ln -s "$BCS_SOURCE/tests" tests
sed -n '/^## A tutorial/,/^## Where/s/^    //p' "$BCS_SOURCE/docs/guide.md" >commands
[ "$(wc -l <commands)" -ge 15 ] || fail "no commands in the guide"

status timeout -k 5 "$limit" sh -ex commands >"$out/said" 2>&1 </dev/null
[ "$rc" -eq 0 ] || fail "$rc at $(grep '^+ ' "$out/said" | tail -n 1): $(
	tail -n 5 "$out/said")"

for words in 'exchange jacobi.c:.*MPI_Waitall' 'see it with: bcs report jacobi.mpi.bcs' \
	'^Wait states' '^rank 0 ' '^Advice' '^nothing was found'; do
	grep -q "$words" "$out/said" || fail "no '$words' in what it printed"
done
for file in both.html trace.html jacobi.perfetto; do
	[ -s "tutorial/$file" ] || fail "no $file"
done
