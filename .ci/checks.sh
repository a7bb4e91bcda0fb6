#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: .ci/checks.sh NAME
# The checks of the sources: format, cppcheck, shellcheck, includes.
# format also finds what a merge left in a file.
set -eu
cd "$(dirname "$0")/.."

# sources NAME...: files of these names that a person wrote.
sources() {
	find . -path './build*' -prune -o -path ./.git -prune -o \
		-path './tests/gen/gen_*' -prune -o -type f \( "$@" \) -print
}

case $1 in
format)
	# Each version lays out some lines otherwise.
	clang-format --version | grep -q ' version 14\.' || {
		echo "clang-format is not version 14"
		exit 77
	}
	sources -name '*.[ch]' | xargs clang-format --dry-run -Werror
	! git grep -nE '^(<<<<<<<|>>>>>>>) '
	;;
cppcheck)
	# Later versions warn of pointers that are looked at before, and stop at a
	# macro of the compiler's command line.
	cppcheck --version | grep -q ' 2\.10' || {
		echo "cppcheck is not version 2.10"
		exit 77
	}
	# The list of all calls is generated.
	cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j 2 \
		--enable=warning,performance,portability \
		-D_GNU_SOURCE -I. -Ibuild-test/pmpi-shim -Ibuild-test/tree \
		mds tree model sim libbcs pmpi-shim analyzer benchmarks
	;;
shellcheck)
	# SC2016: a script for an inner shell is meant to stay as it is.
	sources -name "*.sh" -o -path ./.ci/run | xargs shellcheck -x -e SC2016
	;;
includes)
	sh .ci/includes.sh
	;;
*)
	echo "checks.sh: no check '$1'" >&2
	exit 2
	;;
esac
