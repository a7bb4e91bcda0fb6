#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_example.sh PROGRAM
# The example of bcs.h adds up what it ought to, on one process and on several.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# On demand and by the strobe; the same where each process is a node.
for slice in '' 500 one '' 1000; do
	if [ "$slice" = one ]; then
		export BCS_NODE_SIZE=1
		continue
	fi
	for n in 1 2 5; do
		native "$n" "$1" $slice | sort >"$out/said"
		seq 0 $((n - 1)) | while read -r rank; do
			echo "process $rank of $n: $((n * (n - 1) / 2))"
		done | diff -u - "$out/said"
	done
done
