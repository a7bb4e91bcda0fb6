#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_quiet.sh RANKS NODE_SIZE PROGRAM
# Known states: PROGRAM (programs/quiet.c) saves its state in a hook, and goes on.
# Its result is that of a run without a known state, and that of a run which
# begins with the saved state, whoever asks and whenever.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

ranks=$1
export BCS_NODE_SIZE="$2" BCS_MODE=fixed
program=$3
steps=6

# run ARGUMENTS...: the program's hash.
run() {
	observed "$ranks" "$program" "$steps" "$out/state" "$@" </dev/null
}

mkdir "$out/state"
run none >"$out/expected"
grep -qxE '[0-9a-f]{16}' "$out/expected" || fail "no hash: $(cat "$out/expected")"
[ -z "$(ls "$out/state")" ] || fail "a state that nobody asked for"

# asks HOW CALL
asks() {
	rm -f "$out/state"/*
	run "$@" | diff -u "$out/expected" - || fail "$*: another result"
	[ "$(find "$out/state" -type f | wc -l)" -eq "$ranks" ] ||
		fail "$*: no state of each rank"
	run restart | diff -u "$out/expected" - ||
		fail "$*: another result after a restart"
}

# All of them on one node, and some between nodes, where slices take longer.
few=$2
asks pcontrol 10
asks quiesce 5
asks signal 3
[ "$few" = 1 ] || {
	asks pcontrol 0
	asks signal 16
}
# A process that ends has no part in a known state, and holds up no other.
export BCS_QUIESCE_WAIT=86400
asks timer 22
[ "$few" = 1 ] || {
	asks timer 20
	asks timer 23
}

# On demand there is no such state, and nothing else changes.
rm -f "$out/state"/*
BCS_MODE=demand run pcontrol 5 | diff -u "$out/expected" -
[ -z "$(ls "$out/state")" ] || fail "a known state on demand"
