#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tools/build.sh [-C FOLDER] [-n] [OPTION of meson]...
# Builds into build/ (or FOLDER, from the root of the sources), from any
# directory and as often as you like; -n: sets it up and builds
# nothing, since meson test builds what its tests need.
set -eu
cd "$(dirname "$0")/.."

build=build only_setup=
if [ "${1-}" = -C ]; then
	build=$2
	shift 2
fi
if [ "${1-}" = -n ]; then
	only_setup=yes
	shift
fi

sh tools/here.sh
sh tools/deps.sh build

# What was made of other sources, or by another meson, is made anew.
usable() {
	grep -qsF "\"$PWD/meson.build\"" \
		"$build/meson-info/intro-buildsystem_files.json" &&
		meson configure "$build" "$@" >/dev/null 2>&1
}

if ! usable "$@"; then
	rm -rf "$build"
	meson setup "$build" "$@"
fi
[ -n "$only_setup" ] || ninja -C "$build"
