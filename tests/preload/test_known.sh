#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_known.sh PROGRAM MODE
# The record of a program whose calls are known has these calls and bytes, each
# once, and no others.  What a program expects it prints.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

export BCS_MODE="$2"
observed 3 "$1" "$out/file" >"$out/stdout"
sed -n 's/^expect //p' "$out/stdout" | add_up >"$out/expected"
[ -s "$out/expected" ] || fail "$1 said nothing"
calls "$(the_record)" >"$out/recorded"
diff -u "$out/expected" "$out/recorded"
