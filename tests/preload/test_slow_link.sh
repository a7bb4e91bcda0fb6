#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_slow_link.sh SLOW_LINK JOR
# What goes over a slow link between two nodes, namespaces that are made here, comes
# late, but comes; jor finds the sites that it lies between; wrong arguments are told of.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"
# shellcheck source=benchmarks/lib/two_nodes.sh
. "$BCS_SOURCE/benchmarks/lib/two_nodes.sh"

slow_link=$1
jor=$2
delay=5000

# wrong PATTERN ARGUMENT...: one line that says so, and status 2.
wrong() {
	pattern=$1
	shift
	status "$slow_link" "$@" >"$out/said" 2>"$out/errors" </dev/null
	[ $rc -eq 2 ] || fail "status $rc, not 2: $*"
	[ ! -s "$out/said" ] || fail "it went on: $*"
	grep -q "$pattern" "$out/errors" && return
	cat "$out/errors" >&2
	fail "not said: $pattern"
}

wrong "^usage: slow_link NAMESPACE NAMESPACE DEVICE DELAY" one two v0
for bad in x '' 1x -1 10000001 99999999999999999999; do
	wrong "DELAY is a number of us from 0 to 10000000, not '$bad'" \
		one two v0 "$bad"
done
wrong "DEVICE is a name of up to 15 letters" one two 0123456789abcdef 1
wrong "/run/netns/bcs-none: No such file" bcs-none bcs-none v0 1
"$slow_link" --help | grep -q '^usage: ' || fail "no help"

trap 'two_nodes_end; rm -rf "$out"' EXIT
two_nodes_make "$out" 2>"$out/why" || skip "$(cat "$out/why")"
[ -c /dev/net/tun ] || skip "no tunnel devices here"

# It ends when a device is taken away.
timeout "$limit" "$slow_link" $node_a $node_b v1 1 >"$out/gone" 2>"$out/why" &
gone=$!
for _ in $(seq 300); do
	grep -q "^v1 is there" "$out/gone" && break
	sleep 0.1
done
ip -n $node_b link del v1
status wait $gone
[ $rc -eq 2 ] || fail "status $rc, not 2, without a device"
grep -q "a device that is gone" "$out/why" || fail "not said: $(cat "$out/why")"

# across PROCESSES_OF_A_NODE SITES: the table is in $out/table.
across() {
	# shellcheck disable=SC2046 # several arguments
	BCS_MODE=observe BCS_POLITE=on BCS_MMDS=off LD_PRELOAD=$preload \
		timeout -k 5 "$limit" ip netns exec $node_a \
		mpiexec.mpich $(two_nodes_hosts "$1") -n $((2 * $1)) "$jor" \
		--size=8 --repetitions=1 --periods=1,5 --sites="$2" \
		</dev/null >"$out/table" 2>"$out/stderr" ||
		fail "$2: $(cat "$out/table" "$out/stderr")"
}

# trip: between the front-ends, in us.
trip() {
	sed -n 's/.* \([0-9]*\)\.[0-9] us of a round trip$/\1/p' "$out/table"
}

two_nodes_slow "$slow_link" $delay || fail "no link: $(cat "$out/launch.link")"
across 1 mask:"$node_a"
grep -q '^1 + 1 processes' "$out/table" || fail "sites: $(cat "$out/table")"
[ "$(trip)" -ge $((2 * delay)) ] || fail "too soon: $(cat "$out/table")"
grep -q '^balanced .* 5 ' "$out/table" || fail "no end: $(cat "$out/table")"
for how in times hosts; do
	across 2 $how
	grep -q "^2 + 2 processes, sites by $how; front-ends [01] and [23]," \
		"$out/table" || fail "sites: $(cat "$out/table")"
done
