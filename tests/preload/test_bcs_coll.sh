#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_bcs_coll.sh PROGRAM AGAIN
# The collectives of bcs.h are right, on one process and on several, on one node and
# on several.  AGAIN, which starts the library several times, is right, too.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# right RANKS PROGRAM...: for each number of ranks.
right() {
	numbers=$1
	shift
	for n in $numbers; do
		native "$n" "$@" | sort >"$out/said"
		seq 0 $((n - 1)) | sed 's/.*/process &: right/' |
			diff -u - "$out/said"
	done
}

right "1 2 5" "$1"
# By the strobe.
right "1 2 5" "$1" 300

right "1 2 5" "$2"

# Where MPI takes each process for a node, as MPICH 5.0 does in Debian.
export MPIR_CVAR_NOLOCAL=1
right "2 3" "$1"
right "2 3" "$1" 300
unset MPIR_CVAR_NOLOCAL

# On several nodes.
for nodes in 1 2; do
	export BCS_NODE_SIZE=$nodes
	right 5 "$1" 0 alike
	right 3 "$1" 300 alike
	right 3 "$2"
done
