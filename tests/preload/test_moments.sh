#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_moments.sh PROGRAM
# The first moments of PROGRAM (programs/moments.c): what costs a program with
# threads 20 ms is done while it has one.  Two ranks that begin on one core part
# soon, unless others use the machine; what cores they may use stays as it was.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
export BCS_MODE=demand
for n in 1 2; do
	observed $n "$program" threads >"$out/threads"
	[ "$(sort -u "$out/threads")" = 1 ] ||
		fail "$n ranks register with $(cat "$out/threads") threads"
done

# parts [OPTION]...: how many of at most 100 rounds they were on one core.
parts() {
	export LD_PRELOAD="$preload" BCS_OUT="$records"
	timeout -k 5 "$limit" mpiexec.mpich -n 2 "$@" "$program" cores 100
	unset LD_PRELOAD BCS_OUT
}

parts -bind-to core >/dev/null || fail "bound: another mask"
[ "$(nproc)" -gt 1 ] || exit 0

# cores: the time of all of them so far, idle and in all.
cores() {
	awk '/^cpu / {
		for (i = 2; i <= 9; i++)
			all += $i
		print $5, all
	}' /proc/stat
}

# Where others leave no core idle there is none to part to: such a try tells
# nothing.
judged=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
	# shellcheck disable=SC2046 # two numbers each
	set -- $(cores)
	[ "$(parts)" -eq 100 ] || exit 0
	# shellcheck disable=SC2046
	set -- "$@" $(cores)
	[ $((4 * ($3 - $1))) -lt $(($4 - $2)) ] || judged=$((judged + 1))
done
[ "$judged" -gt 0 ] || exit 77 # no core was idle
fail "two ranks stay on one core ($judged tries beside an idle core)"
