#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: release.sh
# A release has its version everywhere, and its tarball can be set up where no git is.
. "$BCS_SOURCE/tests/cli/record.sh"

command -v git >/dev/null && command -v xz >/dev/null || exit 77
git -C "$BCS_SOURCE" rev-parse HEAD >/dev/null 2>&1 || exit 77
mkdir tree
# What is about to be committed, too.
(cd "$BCS_SOURCE" && git ls-files -co --exclude-standard -z |
	tar -c --null --ignore-failed-read -T - 2>/dev/null) | tar -x -C tree
cd tree
git init -q .
git config user.name tester
git config user.email tester@example.org
git config commit.gpgsign false
git add -A
git commit -qm sources

cd ..

release() {
	sh tree/tools/release.sh "$@"
}

fails 2 "which version?" release
fails 2 "1.2.x is no version" release 1.2.x
fails 2 "not later than" release 0.0.1
touch tree/more
fails 2 "there are changes" release 7.8.9
rm tree/more

is_of() {
	grep -q "$2" "tree/$1" || fail "no '$2' in $1"
}
release 7.8.9 >made
grep -qx bcs-7.8.9.tar.xz made || fail "made: $(cat made)"
git -C tree rev-parse -q --verify v7.8.9 >/dev/null || fail "no tag"
[ -z "$(git -C tree status --porcelain -uno)" ] || fail "it left changes"
is_of CHANGELOG.md '^## 7\.8\.9 ('
is_of debian/changelog '^bcs (7\.8\.9-1)'
cp tree/bcs-7.8.9.tar.xz first.tar.xz
rm tree/bcs-7.8.9.tar.xz
fails 2 "nothing unreleased" release 7.8.10

release --tarball >made
cmp first.tar.xz tree/bcs-7.8.9.tar.xz || fail "the same commit made other bytes"
tar -xJf first.tar.xz
[ ! -e bcs-7.8.9/.git ] || fail "git is in the tarball"
meson setup built bcs-7.8.9 -Dtests=disabled >set-up 2>&1 ||
	fail "not set up: $(tail -n 5 set-up)"
grep -q 'Project version: 7\.8\.9' set-up || fail "another version is built"
