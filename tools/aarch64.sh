#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tools/aarch64.sh
# Builds mds, libbcs and the preload for aarch64 into build-aarch64/, and runs
# by qemu-user: unit tests, and a program on two ranks in each mode.
# Debian's libraries for arm64 go to build-aarch64-root/, not to the system.
set -eu
cd "$(dirname "$0")/.."

build="build-aarch64"
root=$PWD/build-aarch64-root
system=$root/system
packages="libc6-dev check zlib1g-dev libdw-dev libgsl-dev liblua5.4-dev
	libmpich-dev"

# Reads and moves memory of other processes, which qemu-user does not let it:
# copy, core, helper, helper_work, p2p_both, p2p_choose.  board_memory and
# record_errors measure memory, of which qemu takes some.
tests="clock hist record record_damage record_format trace flight emds schedule
	settings callpath mmds match rank_map board stream wake tuner outbox
	coll pages net engine receive wait strobe pair spread cores polite"

# apt_arm WORD...: apt-get with lists of arm64's packages of its own.
apt_arm() {
	apt-get -qq -o Dir::State="$root/state" -o Dir::Cache="$root/cache" \
		-o Dir::State::status="$root/status" \
		-o APT::Architecture=arm64 -o APT::Architectures::=arm64 \
		-o APT::Install-Recommends=false \
		-o APT::Sandbox::User=root "$@"
}

# Links that begin at / would lead out of the root.
turn_links() {
	find "$system" -type l -lname '/*' | while read -r link; do
		target=$(readlink "$link")
		ln -sfn "$system${target#"$system"}" "$link"
	done
}

# A release whose /lib is a link keeps some files in /lib all the same.
join_usr() {
	for folder in lib bin sbin; do
		if [ -L "$system/$folder" ] || [ ! -d "$system/$folder" ]; then
			continue
		fi
		mkdir -p "$system/usr/$folder"
		cp -a "$system/$folder/." "$system/usr/$folder/"
		rm -r "${system:?}/$folder"
		ln -s "usr/$folder" "$system/$folder"
	done
}

root_make() {
	rm -rf "$root"
	mkdir -p "$root/state/lists/partial" "$root/cache/archives/partial" \
		"$system"
	: >"$root/status"
	apt_arm update || return 1
	# shellcheck disable=SC2086 # a list of words
	apt_arm -y --download-only install $packages >"$root/log" || return 1
	for package in "$root"/cache/archives/*.deb; do
		dpkg-deb -x "$package" "$system"
	done
	rm -r "$root/cache"
	join_usr
	turn_links
	printf "[constants]\nroot = '%s'\n" "$system" >"$root/root.ini"
}

# runs MODE: its two ranks must be in the record.
runs() {
	rm -rf "$root/records"
	mpiexec.mpich -n 2 qemu-aarch64 -L "$system" \
		-E LD_PRELOAD="$PWD/$build/pmpi-shim/libbcs-pmpi.so" \
		-E BCS_MODE="$1" -E BCS_OUT="$root/records" \
		"$root/ring"
	n=$(find "$root/records" -name 'rank-00000[01].gz' | wc -l)
	[ "$n" -eq 2 ] || {
		echo "$1: $n records of 2 ranks" >&2
		exit 1
	}
	echo "$1: a program on two ranks is recorded"
}

sh tools/deps.sh build cross
[ -f "$root/root.ini" ] || root_make || {
	echo "Debian's packages for arm64 cannot be had here" >&2
	exit 77
}
[ -f "$build/build.ninja" ] ||
	meson setup "$build" --cross-file "$root/root.ini" \
		--cross-file tools/aarch64.ini -Dtests=enabled -Dwerror=true \
		-Dopenmpi=disabled -Dotf2=disabled
ninja -C "$build" pmpi-shim/libbcs-pmpi.so
library=$system/usr/lib/aarch64-linux-gnu
aarch64-linux-gnu-gcc --sysroot="$system" -I"$library/mpich/include" -w \
	tests/programs/ring.c -o "$root/ring" -L"$library" -lmpich \
	-Wl,-rpath-link,"$library"
# shellcheck disable=SC2086 # a list of words
meson test -C "$build" --print-errorlogs --num-processes 2 -t 4 --suite unit \
	$tests
for mode in observe demand fixed; do
	runs "$mode"
done
