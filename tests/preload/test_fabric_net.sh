#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_fabric_net.sh PROGRAM ROUNDS MOST
# The core primitives over MPI are right: on one process, on two, and on more than
# there are cores; natively, where MPI yields cores, and beside messages in slices.
# ROUNDS: of one process; those of more are fewer, as each takes longer.  MOST: processes.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
rounds=$2
most=$3

# right HOW RANKS TIMES [WITHOUT-THREADS]: all processes say so.
right() {
	status "$1" "$2" "$program" "$3" ${4+"$4"} >"$out/said"
	sort "$out/said" >"$out/sorted"
	seq 0 $(($2 - 1)) | sed 's/.*/process &: right/' | sort |
		diff -u - "$out/sorted" || fail "$1, $2 processes: status $rc"
	[ $rc -eq 0 ] || fail "$1, $2 processes: status $rc"
}

right native 1 "$rounds"
right native 2 "$rounds"
right native 3 $((rounds / 2))
(
	export BCS_MODE=observe
	right observed 5 $((rounds / 5))
	right observed 5 $((rounds / 10)) funneled
	right observed 7 $((rounds / 12))
	right observed "$most" $((rounds / 25))
)
BCS_MODE=demand right observed 3 $((rounds / 2))
