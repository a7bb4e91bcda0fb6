#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tools/deps.sh GROUP...
# Installs what is missing of Debian's packages for each group:
#   build  the preload and the bcs command
#   bench  the programs that are measured
#   test   the tests, their programs and the checks
#   cross  what tools/aarch64.sh builds and runs with
# With nothing missing it does nothing.
set -eu

# MPICH by name: the packages of other MPIs may be there as well.
build="gcc libc6-dev meson ninja-build pkg-config python3
	mpich libmpich-dev libopenmpi-dev zlib1g-dev libdw-dev libgsl-dev
	liblua5.4-dev libopen-trace-format2-dev"
bench="scalapack-mpi-test iproute2"
# scalapack-mpi-test and netpipe-mpich2 hold ready programs; the former has
# some for Open MPI, too.
test="check ccache gfortran clang libclang-rt-dev clang-format cppcheck
	shellcheck zsh fish lua5.4 git netpipe-mpich2 scalapack-mpi-test libhdf5-mpich-dev
	libhdf5-openmpi-dev
	libcoarrays-mpich-dev iproute2 python3-otf2 python3-mpi4py
	python3-pandas python3-matplotlib"
cross="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"

packages=
for group; do
	case $group in
	build) packages="$packages $build" ;;
	bench) packages="$packages $bench" ;;
	test) packages="$packages $test" ;;
	cross) packages="$packages $cross" ;;
	*)
		echo "deps.sh: no group '$group': build, bench, test, cross" >&2
		exit 2
		;;
	esac
done

missing=
for package in $packages; do
	state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>&1) || :
	[ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

# A release may lack some of the programs that are tested: their tests are
# skipped then.
drop_unknown() {
	there=
	for package in $missing; do
		if apt-cache show "$package" >/dev/null 2>&1; then
			there="$there $package"
		else
			echo "$package is not in this release" >&2
		fi
	done
	missing=$there
	[ -n "$missing" ] || exit 0
}

give_up() {
	echo "As root, please: apt-get install$missing" >&2
	exit 1
}

# Every release has dash: apt has its lists, and nobody need be root to see them.
[ -z "$(apt-cache madison dash 2>/dev/null)" ] || drop_unknown

# A user may have sudo and no rights, which sudo tells of in words of its own.
if [ "$(id -u)" -eq 0 ]; then
	as_root=
elif command -v sudo >/dev/null && sudo -l apt-get >/dev/null; then
	as_root=sudo
else
	give_up
fi
$as_root apt-get -qq update >/dev/null || give_up
drop_unknown
echo "Installing:$missing"
# shellcheck disable=SC2086 # lists of words
$as_root env DEBIAN_FRONTEND=noninteractive \
	apt-get -qq -y --no-install-recommends install $missing >/dev/null ||
	give_up
