#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A program that is linked with Open MPI is refused: its handles are not ours.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$(echo /usr/lib/*/scalapack/openmpi-tests/xdlu)
[ -x "$program" ] || skip "there is no Open MPI program"
cd "$(dirname "$program")"
LD_PRELOAD=$preload timeout 60 "$program" >"$out/stdout" 2>"$out/stderr" &&
	fail "it was not refused"
grep -q '^bcs: .*Open MPI' "$out/stderr" || {
	cat "$out/stderr" >&2
	fail "it was not said why"
}
