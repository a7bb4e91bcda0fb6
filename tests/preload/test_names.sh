#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_names.sh MISMATCH ENDINGS
# What a program and its folder are called, and what variables are set to, is
# told without doing anything to the terminal.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# An escape sequence, a bell, C1's CSI, what turns the direction, and no character.
bad=$(printf 'a\033[31m\007\302\233\342\200\256\377')
shown='a\x1b[31m\x07\u009b\u202e\xff'
cp "$1" "$out/$bad"
cp "$2" "$out/ends$bad"

# says TEXT NAME=VALUE... PROGRAM ARGUMENT: one line of ours has it, and no line of
# anybody's more than that.
says() {
	text=$1
	shift
	forget
	status env "BCS_OUT=$records" LD_PRELOAD="$preload" "$@" >/dev/null 2>"$out/stderr"
	grep -qF -- "$text" "$out/stderr" || {
		cat -v "$out/stderr" >&9
		fail "not told: $text"
	}
	! LC_ALL=C grep -q "$(printf '[\033\007\302\342\377]')" "$out/stderr" || {
		cat -v "$out/stderr" >&9
		fail "told as it is: $text"
	}
}

run="timeout -k 5 $limit mpiexec.mpich -n"
# shellcheck disable=SC2086
{
	says "BCS_MODE=$shown is not taken" "BCS_MODE=$bad" $run 2 "$2" none
	says "BCS_TREE: $shown: No such file" "BCS_TREE=$bad" $run 2 "$2" none
	says "/dev/null/$shown" "BCS_OUT=/dev/null/$bad" $run 2 "$2" none
	says "at $shown+0x" $run 2 "$out/$bad" call
	says "at ends$shown+0x" $run 1 "$out/ends$bad" truncated
}

# MPI's own name has tabs or many blanks, by its version.
forget
observed 1 "$2" fine
named=$(value "$(the_record)/rank-000000.gz" mpi)
echo "$named" | grep -qE '^MPICH%20Version:%20[0-9][^%]*$' || fail "MPI: $named"
