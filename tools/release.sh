#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tools/release.sh VERSION
# Makes a release of what is committed: sets the version, heads the changelog's
# unreleased part and that of the package with it, commits and tags this, and
# leaves bcs-VERSION.tar.xz, which builds without git.
#        tools/release.sh --tarball
# Makes the tarball alone, of the version that is committed.
set -eu
cd "$(dirname "$0")/.."

refuse() {
	echo "release.sh: $*" >&2
	exit 2
}

version_now() {
	git show HEAD:meson.build | sed -n "s/^  version: '\(.*\)',/\1/p"
}

# The same commit makes the same bytes.
tarball() {
	name=bcs-$(version_now)
	git archive --prefix="$name/" HEAD | xz -T1 >"$name.tar.xz"
	echo "$name.tar.xz"
}

is_later() {
	[ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | tail -n 1)" = "$1" ]
}

set_version() {
	sed -i "s/^  version: '.*',/  version: '$1',/" meson.build
	sed -i "s/^## Unreleased\$/&\n\n## $1 ($(date -u +%F))/" CHANGELOG.md
	{
		printf 'bcs (%s-1) unstable; urgency=medium\n\n' "$1"
		printf '  * Release %s.\n\n' "$1"
		printf ' -- %s  %s\n\n' "$(sed -n 's/^Maintainer: //p' debian/control)" \
			"$(date -uR)"
		cat debian/changelog
	} >debian/changelog.new
	mv debian/changelog.new debian/changelog
}

case ${1-} in
--tarball)
	tarball
	exit
	;;
'') refuse "which version? such as 1.2.3" ;;
esac
echo "$1" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' || refuse "$1 is no version"
[ -z "$(git status --porcelain)" ] || refuse "there are changes: commit them first"
is_later "$1" "$(version_now)" || refuse "$1 is not later than $(version_now)"
git show HEAD:CHANGELOG.md | awk '
	/^## / { inside = /^## Unreleased$/ }
	inside && /^- / { found = 1 }
	END { exit !found }' || refuse "CHANGELOG.md has nothing unreleased"

set_version "$1"
git commit -qam "release: $1"
git tag -a -m "bcs $1" "v$1"
tarball
