#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_top.sh STUCK FLYING
# `bcs top` and `bcs hang` show what the ranks of a running job are in, from their
# flight recorders alone: of stopped ranks, too, and without waking any.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
stuck=$out/stuck
flying=$out/flying
cp "$1" "$stuck"
cp "$2" "$flying"
trap 'end_left; rm -rf "$out"' EXIT

# comes_to PATTERN VERB ARGUMENT...: what it shows, in time.
comes_to() {
	pattern=$1
	shift
	i=0
	until "$bcs" "$@" "$(the_record)" >"$out/shown" 2>"$out/errors" &&
		grep -q "$pattern" "$out/shown"; do
		[ $((i += 1)) -le 300 ] ||
			fail "$*: not shown: $pattern: $(cat "$out/shown" "$out/errors")"
		sleep 0.1
	done
}

has_record() {
	i=0
	until [ "$(find "$records" -name '*.flight' | wc -l)" -ge "$1" ]; do
		[ $((i += 1)) -le 300 ] || fail "no flight recorders"
		sleep 0.1
	done
}

# viewed: what the view has shown so far, without what moves the cursor.
viewed() {
	tr -d '\r' <"$out/view" | sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g'
}

# longest: its longest line.
longest() {
	viewed | wc -L
}

# wider: the view has a line that is longer than so many columns.
wider() {
	i=0
	until [ "$(longest)" -gt "$1" ]; do
		[ $((i += 1)) -le 300 ] || fail "not wider than $1: $(viewed)"
		sleep 0.1
	done
}

# views: a view is as wide as its terminal, also once that is another.
views() {
	command -v script >/dev/null || return 0
	rm -f "$out/resize"
	cat >"$out/view.sh" <<-END
		stty rows 40 cols 80
		{
			until [ -e "$out/resize" ]; do sleep 0.1; done
			stty -F /dev/tty cols 160
		} &
		"$bcs" top "$(the_record)"
	END
	: >"$out/view"
	{
		wider 60
		[ "$(longest)" -le 80 ] || fail "wider than 80: $(viewed)"
		touch "$out/resize"
		wider 100
		[ "$(longest)" -le 160 ] || fail "wider than 160: $(viewed)"
		touch "$out/well"
		printf q
	} | timeout -k 1 "$limit" script -qefc "sh '$out/view.sh'" /dev/null >"$out/view" ||
		fail "the view ended with $?: $(viewed)"
	[ -e "$out/well" ] || fail "not as wide as the terminal"
}

for mode in observe demand fixed; do
	export BCS_MODE="$mode"
	forget
	rm -f "$out/go"
	observed 4 "$stuck" "$out/go" </dev/null >"$out/said" 2>&1 &
	job=$!
	has_record 4
	comes_to "^ *2  .* in MPI .* MPI_Allreduce .* ranks 0-1 .* stuck.c:" \
		top --once --width=200
	comes_to "^ *1  .* in MPI .* MPI_Recv .* from rank 0, tag 7 .* stuck.c:" \
		top --once --width=200
	comes_to "^ *0  .* computes" top --once --width=200
	# All of them stopped: none can answer.
	for pid in $(running "$stuck"); do
		kill -STOP "$pid"
	done
	comes_to "rank 1 is in MPI_Recv from rank 0, tag 7, .* stuck.c:" hang
	comes_to "^ *1  .* stopped .* MPI_Recv" top --once --width=200
	for pid in $(running "$stuck"); do
		kill -CONT "$pid"
	done
	"$bcs" top --json "$(the_record)" >"$out/json"
	python3 - "$out/json" <<'END'
import json
import sys

ranks = json.load(open(sys.argv[1]))["ranks"]
assert [r["rank"] for r in ranks] == [0, 1, 2, 3], ranks
assert ranks[1]["call"] == "MPI_Recv" and ranks[1]["since_ns"] > 0, ranks
assert 0 <= ranks[0]["mpi_share"] <= 100.1, ranks
END
	[ "$mode" != demand ] || views
	touch "$out/go"
	status wait "$job"
	[ "$rc" -eq 0 ] || fail "$mode: ended with $rc: $(cat "$out/said")"
	status "$bcs" top --once "$(the_record)" 2>"$out/errors"
	[ "$rc $(wc -l <"$out/errors")" = "2 1" ] ||
		fail "$mode: a job that ended has $rc: $(cat "$out/errors")"
	status "$bcs" top "$(the_record)" >"$out/shown" 2>"$out/errors"
	[ "$rc" -eq 2 ] || fail "without a terminal: $rc"
	grep -q -- --once "$out/errors" ||
		fail "without a terminal: $rc: $(cat "$out/errors")"

	# Of several requests, those that did not come.
	forget
	rm -f "$out/go"
	observed 2 "$flying" waits "$out/go" </dev/null >"$out/said" 2>&1 &
	job=$!
	has_record 2
	comes_to "MPI_Waitall for a receive from rank 1, tag 41, .* flying.c:" \
		hang --width=200
	comes_to "MPI_Waitall for a receive from any rank, tag 42, " \
		hang --width=200
	# Only MPI knows what came where it carries the messages.
	if [ "$mode" != observe ]; then
		comes_to "MPI_Waitall .* receive from rank 1, tag 41 and 1 more" \
			top --once --width=200
		comes_to "tag 42" hang --width=200
		! grep -q "tag 40" "$out/shown" ||
			fail "$mode: a message that came is waited for"
	fi
	touch "$out/go"
	status wait "$job"
	[ "$rc" -eq 0 ] || fail "$mode: ended with $rc: $(cat "$out/said")"
done

# has_slices NODES: the slices of so many nodes, and how full they are.
has_slices() {
	"$bcs" top --json "$(the_record)" >"$out/json"
	python3 - "$out/json" "$1" <<'END'
import json
import sys

picture = json.load(open(sys.argv[1]))
nodes = picture.get("slices", [])
assert [node["rank"] for node in nodes] == list(range(int(sys.argv[2]))), nodes
for node in nodes:
    assert node["slice"] > 0 and node["slices_per_s"] > 0, node
    assert node["length_ns"] == 250000 and node["takes_ns"] > 0, node
    assert node["budget_bytes"] > 0 and 0 <= node["full"] <= 100, node
    assert node["bytes_per_s"] > 0, node
END
}

# slices MODE NODE_SIZE NODES
slices() {
	forget
	rm -f "$out/go"
	BCS_MODE=$1 BCS_NODE_SIZE=$2 observed 2 "$flying" ring "$out/go" </dev/null \
		>"$out/said" 2>&1 &
	job=$!
	has_record 2
	comes_to "^ *0 .* flying.c:" top --once --width=200
	i=0
	until has_slices "$3" 2>"$out/errors"; do
		[ $((i += 1)) -le 100 ] || fail "slices, $*: $(cat "$out/errors")"
		sleep 0.1
	done
	"$bcs" top --once "$(the_record)" >"$out/shown"
	[ "$(grep -c "^Slices" "$out/shown")" = $(($3 > 0)) ] ||
		fail "slices, $*: $(cat "$out/shown")"
	touch "$out/go"
	status wait "$job"
	[ "$rc" -eq 0 ] || fail "slices, $*: ended with $rc: $(cat "$out/said")"
}
slices fixed 0 1
slices fixed 1 2
slices demand 0 0

# Calls and bytes a second, and a view that q ends.
export BCS_MODE=demand
forget
rm -f "$out/go"
observed 2 "$flying" ring "$out/go" </dev/null >"$out/said" 2>&1 &
job=$!
has_record 2
# A call has 8 bytes, sent or received.
flies() {
	"$bcs" top --json "$(the_record)" >"$out/json"
	python3 - "$out/json" <<'END'
import json
import sys

for r in json.load(open(sys.argv[1]))["ranks"]:
    assert r["calls_per_s"] > 0 and r["bytes_per_s"] > 0, r
END
}
i=0
until flies 2>"$out/errors"; do
	[ $((i += 1)) -le 30 ] || fail "no rates: $(cat "$out/errors")"
done
# pictures: how many the view has shown.
pictures() {
	grep -c "Ranks" "$out/shown"
}
if command -v script >/dev/null; then
	: >"$out/shown"
	{
		i=0
		until [ "$(pictures)" -ge 2 ] || [ $((i += 1)) -gt 300 ]; do
			sleep 0.1
		done
		printf q
	} | timeout -k 1 "$limit" \
		script -qefc "$bcs top '$(the_record)'" /dev/null >"$out/shown" ||
		fail "the view ended with $?"
	[ "$(pictures)" -ge 2 ] || fail "no second picture"
fi
touch "$out/go"
status wait "$job"
[ "$rc" -eq 0 ] || fail "ended with $rc: $(cat "$out/said")"

# Without flight recorders the reason is told.
forget
rm -f "$out/go"
BCS_FLIGHT=off observed 4 "$stuck" "$out/go" </dev/null >"$out/said" 2>&1 &
job=$!
i=0
until [ -n "$(running "$stuck")" ] && [ -n "$(find "$records" -name '*.gz')" ]; do
	[ $((i += 1)) -le 300 ] || fail "no record"
	sleep 0.1
done
status "$bcs" hang "$(the_record)" 2>"$out/errors"
[ "$rc" -eq 2 ] || fail "off: $rc"
grep -q "BCS_FLIGHT" "$out/errors" ||
	fail "off: $rc: $(cat "$out/errors")"
touch "$out/go"
wait "$job" || fail "off: ended with $?"
