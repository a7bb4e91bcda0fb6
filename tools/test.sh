#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tools/test.sh [--full]
# Installs what is missing, builds into build-test/, and runs its tests and checks.
# --full: builds with clang, with ASan and UBSan, and with TSan as well, and runs
# the tests that each of these is for: under ASan each code path once (see
# tests/meson.build), under TSan code with threads.  The last line says how many passed.
set -u
case ${1-} in
'' | --full) ;;
*)
	echo "usage: tools/test.sh [--full]" >&2
	exit 2
	;;
esac
cd "$(dirname "$0")/.." || exit 1

passed=0 failed=0 skipped=0
log=$(mktemp)
times=$(mktemp)
failures=$(mktemp)
trap 'rm -f "$log" "$times" "$failures"' EXIT

# What deps.sh installed comes first: a python3 of pyenv takes seven times as long to
# start, and has not the modules.
export PATH="/usr/bin:$PATH"

# What a compiler made of the same sources in another clone is taken again.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=yes

# check NAME COMMAND...: counts as one; 77 is that it was not done.
check() {
	name=$1
	shift
	"$@" >"$log" 2>&1 && rc=0 || rc=$?
	case $rc in
	0)
		passed=$((passed + 1))
		echo "ok      $name"
		;;
	77)
		skipped=$((skipped + 1))
		echo "skipped $name: $(tail -n 1 "$log")"
		;;
	*)
		failed=$((failed + 1))
		cat "$log"
		echo "FAILED  $name"
		{
			tail -n 20 "$log"
			echo "FAILED  $name"
		} >>"$failures"
		;;
	esac
}

# count RESULT: what meson counted of it.
count() {
	sed -n "s/^$1: *\([0-9][0-9]*\) *$/\1/p" "$log" | tail -n 1
}

# note_times FOLDER: how long each test took, a line each.
note_times() {
	sed -n "s|^ *[0-9]*/[0-9]* \(.*[^ ]\)  *[A-Z]* *\([0-9.]*\)s.*|\2 $1 \1|p" \
		"$log" >>"$times"
}

# note_failures FOLDER: how each test that failed ended, for the end of the log.
note_failures() {
	awk -v folder="$1" '
		function note(first) {
			if (test == "" || result ~ /exit status (0|77)$/)
				return
			print "FAILED  " folder " " test ": " result
			for (first = n > 40 ? n - 40 : 1; first <= n; first++)
				print line[first]
		}
		/^=+ [0-9]+\/[0-9]+ =+$/ { note(); n = 0 }
		/^test: / { test = substr($0, 15) }
		/^result: / { result = substr($0, 15) }
		{ line[++n] = $0 }
		END { note() }
	' "$1/meson-logs/testlog.txt" >>"$failures"
}

# suites FOLDER SUITE...: its tests, each counts.
suites() {
	build=$1
	shift
	echo "$build: $*"
	for suite; do
		set -- "$@" --suite "$suite"
		shift
	done
	case $build in
	*asan) set -- "$@" --no-suite unsanitized ;;
	*tsan) set -- "$@" --no-suite unthreaded ;;
	esac
	# Tests that may run side by side mostly sleep, so more than cores.
	meson test -C "$build" --print-errorlogs --num-processes 6 "$@" 2>&1 |
		tee "$log"
	note_times "$build"
	note_failures "$build"
	if [ -z "$(count Ok)" ]; then
		failed=$((failed + 1))
		return
	fi
	passed=$((passed + $(count Ok)))
	failed=$((failed + $(count Fail) + $(count Timeout) +
		$(count 'Unexpected Pass')))
	skipped=$((skipped + $(count Skipped)))
}

# build FOLDER [-n] OPTION...: counts as one; false if there is nothing to test.
build() {
	before=$failed
	name=$1
	shift
	check "build of $name" \
		sh tools/build.sh -C "$name" "$@" -Dtests=enabled -Dwerror=true
	[ "$failed" -eq "$before" ]
}

if ! sh tools/here.sh || ! sh tools/deps.sh build test; then
	echo "0 passed, 1 failed"
	exit 1
fi

build build-test && suites build-test unit gen cli mpi threads debian openmpi
for name in format includes shellcheck cppcheck; do
	check "$name" sh .ci/checks.sh "$name"
done

if [ "${1-}" = --full ]; then
	CC="$(command -v ccache) clang" build build-clang -Dfuzz=true &&
		suites build-clang unit
	# With these options compiling takes half the time of -O2 -g.  The recorder
	# for Open MPI is the same code.
	quick="-Doptimization=1 -Dc_args=-g1 -Db_lundef=false -Dopenmpi=disabled"
	# The preload is instrumented, the programs under it are not.
	quick="$quick -Dprograms=../build-test"
	# shellcheck disable=SC2086 # several options
	build build-asan -Db_sanitize=address,undefined $quick &&
		suites build-asan unit cli mpi threads
	# Half of this is not needed: meson test builds what its tests are of.
	# shellcheck disable=SC2086
	build build-tsan -n -Db_sanitize=thread $quick &&
		suites build-tsan unit threads
fi

echo "The ten slowest, in seconds:"
sort -rn "$times" | head -n 10
cat "$failures"
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
