#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: bench.sh
# `bcs bench` finds the benchmarks, in a build and installed, tells of them and runs
# them where the user is.
. "$BCS_SOURCE/tests/cli/record.sh"

for script in "$BCS_SOURCE"/benchmarks/*/*.sh; do
	name=$(basename "$script" .sh)
	[ "$script" = "$BCS_SOURCE/benchmarks/$name/$name.sh" ] || continue
	"$bcs" bench | grep -q "^  $name  *[A-Z].*[.]$" || fail "$name is not told of"
	grep -q "'$name'" "$BCS_SOURCE/analyzer/meson.build" ||
		fail "$name is not installed"
	"$bcs" bench "$name" --help >help || fail "status $?: $name --help"
	[ "$(head -n 1 help)" = "$(sed -n '3s/^# //p' "$script")" ] ||
		fail "$name --help: $(cat help)"
	grep -q "^usage: tools/bench.sh $name" help || fail "no usage: $name --help"
done
fails 2 "no benchmark 'nope'" "$bcs" bench nope
fails 2 "no benchmark '../benchmarks/coll'" "$bcs" bench ../benchmarks/coll
fails 2 "no benchmark 'turns'" "$bcs" bench turns
"$bcs" bench >listed
grep -q '^  lib' listed && fail "what benchmarks share is listed: $(cat listed)"

# tree COMMAND SCRIPTS PROGRAMS PRELOAD: with one benchmark, which says what it got.
tree() {
	mkdir -p tree/"$(dirname "$1")" tree/"$2"/hello tree/"$3" tree/"$4"
	cp "$bcs" tree/"$1"
	touch tree/"$4"/libbcs-pmpi.so
	cat >tree/"$2"/hello/hello.sh <<-'END'
		#!/bin/sh
		# license
		# Says hello.
		echo "$# $1 $2|$BCS_BENCH_PRELOAD|$BCS_BENCH_PROGRAMS"
		echo "$BCS_BENCH_COMMAND|$BCS_RESULTS"
		exit 3
	END
	out=$(pwd -P)
	rc=0
	tree/"$1" bench hello --one "two words" >said || rc=$?
	[ $rc -eq 3 ] || fail "status $rc, not the benchmark's"
	{
		echo "2 --one two words|$out/tree/$4/libbcs-pmpi.so|$out/tree/$3"
		echo "$out/tree/$1|$out/results"
	} | diff - said
	tree/"$1" bench | grep -q 'hello  *Says hello.' || fail "not told of"
	rm -r tree
}

tree build/analyzer/bcs benchmarks build/benchmarks build/pmpi-shim
libdir=$(meson introspect --buildoptions "$BCS_BUILD" |
	tr '{' '\n' | sed -n 's/.*"libdir".*"value": "\([^"]*\)".*/\1/p')
[ -z "$libdir" ] ||
	tree bin/bcs share/bcs/benchmarks libexec/bcs "$libdir/bcs"
