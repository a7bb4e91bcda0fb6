#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_quiet_api.sh PROGRAM
# Known states of bcs.h (programs/quiet_api.c): no message is under way; nobody
# waits for ever for a process that computes.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# says ARGUMENTS...: the program prints what is read.
says() {
	native 2 "$@" </dev/null | sort >"$out/said"
	diff -u - "$out/said" || fail "$*"
}

# On one node, and on two.
for nodes in 0 1; do
	export BCS_NODE_SIZE=$nodes
	says "$1" whole 1000 <<-END
	process 0: all, 0 open, 0 without a receive
	process 1: all, 0 open, 1 without a receive
	END
	says "$1" late 1000 <<-END
	bcs_quiesce: Connection timed out
	process 0: 0 hooks
	process 1: 0 hooks
	END
done
unset BCS_NODE_SIZE
says "$1" whole <<-END
bcs_quiesce: Operation not supported
END
