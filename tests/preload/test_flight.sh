#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_flight.sh PROGRAM MODE
# A rank of programs/flying.c is killed at any time: the flight recorders of all
# ranks tell what each called last, without a gap. A run that ends leaves none.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
program=$out/flying
cp "$1" "$program"
trap 'end_left; rm -rf "$out"' EXIT
export BCS_MODE="$2"

# has_files N: flight recorders.
has_files() {
	i=0
	until [ "$(find "$records" -name '*.flight' | wc -l)" -ge "$1" ]; do
		[ $((i += 1)) -le 300 ] || fail "no flight recorders"
		sleep 0.1
	done
}

# has_calls THREADS: so many threads, of all ranks, are in their rounds.
has_calls() {
	i=0
	until "$bcs" report --json --section=tail "$(the_record)" 2>"$out/errors" |
		awk -v threads="$1" '
		/"call": "MPI_(Send|Recv)"/ && ++calls[$2 $4] == 4 { n++ }
		END { exit n != threads }'; do
		[ $((i += 1)) -le 300 ] || fail "no calls: $(cat "$out/errors")"
		sleep 0.1
	done
}

# killed RANKS HOW NAPS: one of them, after so many tenths of a second in its rounds.
killed() {
	end_left
	forget
	observed "$1" "$program" "$2" "$out/go" >"$out/said" 2>&1 </dev/null &
	job=$!
	has_files "$1"
	case $2 in
	threads) has_calls $(($1 * 4)) ;;
	*) has_calls "$1" ;;
	esac
	i=0
	while [ $((i += 1)) -le "$3" ]; do
		sleep 0.1
	done
	kill -9 "$(running "$program" | sed -n "$(($3 % $1 + 1))p")"
	# Not by its status, which MPICH 4.2's mpiexec loses now and then: there was a
	# rank to kill.
	status wait "$job"
	end_left
	"$bcs" report --json --section=tail "$(the_record)" >"$out/json" \
		2>"$out/errors" || fail "$2: no report: $(cat "$out/errors")"
	[ ! -s "$out/errors" ] || fail "$2: $(cat "$out/errors")"
	"$bcs" report --top=0 "$(the_record)" >"$out/report"
	grep -q "^Last calls" "$out/report" || fail "no tail: $(cat "$out/report")"
}

# follows RANKS THREADS: each call of the tail the one before.
follows() {
	python3 - "$out/json" "$1" "$2" <<'END'
import json
import sys

rows = json.load(open(sys.argv[1]))["runs"][0]["tail"]
size, threads = int(sys.argv[2]), int(sys.argv[3])
calls = {}
begun = set()
for row in rows:
    if row["call"] in ("MPI_Send", "MPI_Recv"):
        calls.setdefault((row["rank"], row["thread"]), []).append(row)
assert len(calls) == size * threads, (len(calls), size * threads)
for (rank, thread), mine in calls.items():
    assert len(mine) > 1, (rank, thread, mine)
    for row in mine:
        send = row["call"] == "MPI_Send"
        peer = rank + 1 if send else rank + size - 1
        if row is mine[-1] and row["took_ns"] is None and row["peer"] == "":
            begun.add(rank)
            continue
        assert row["peer"] == str(peer % size), row
        assert "flying.c" in row["site"], row
        # The last call may not be over.
        assert row["bytes"] == 8 or row["took_ns"] is None, row
        assert row["took_ns"] is not None or row is mine[-1], row
    for a, b in zip(mine, mine[1:]):
        assert a["since_ns"] >= b["since_ns"], (a, b)
        assert a["call"] != b["call"], (a, b)
        if b["peer"] == "":
            continue
        step = 0 if a["call"] == "MPI_Send" else 1
        assert int(b["tag"]) == (int(a["tag"]) + step) % 1000, (a, b)
# A call is shown before its peer is: a kill may come in between.  It does not do so at
# all ranks, for at least one of them waits.
assert len(begun) < size, begun
END
}

# Many ranks, in the mode with most threads of ours, and the first save after a second.
naps_of="0 4 13" many=5
[ "$BCS_MODE" != demand ] || naps_of="0 1 4 9 13" many=16
for naps in $naps_of; do
	killed 2 ring "$naps"
	follows 2 1 || fail "ring, after $naps"
done
killed "$many" ring 12
follows "$many" 1 || fail "$many ranks"
killed 2 threads 7
follows 2 4 || fail "threads"

# ended_by_itself RANKS HOW
ended_by_itself() {
	end_left
	forget
	status observed "$1" "$program" "$2" "$out/go" >"$out/said" 2>&1 </dev/null
	end_left
}

# The record begins at the end of MPI_Init, in which a rank may still be.
for ranks in 2 4; do
	ended_by_itself "$ranks" after
	"$bcs" report "$(the_record)" >"$out/report" 2>"$out/errors" ||
		fail "$ranks after MPI_Init: $(cat "$out/errors")"
	[ ! -s "$out/errors" ] || fail "after MPI_Init: $(cat "$out/errors")"
	grep -q "Ended .*killed" "$out/report" || fail "$(cat "$out/report")"
	ended_by_itself "$ranks" before
	[ -z "$(ls "$records")" ] || fail "a record of no MPI_Init: $(ls "$records")"
done
killed 2 threads 7

# Its last save told of other calls.
grep -q "in MPI_Recv from rank\|in MPI_Send to rank\|no call of MPI\|Last calls" \
	"$out/report" || fail "not told: $(cat "$out/report")"

# Its file cut off or damaged is refused in a line, and the rest is read.
flight=$(the_record)/rank-000001.flight
cp "$flight" "$out/whole"
for size in 0 1 8 100 1000 4096 8192 100000; do
	head -c "$size" "$out/whole" >"$flight"
	"$bcs" report "$(the_record)" >"$out/report" 2>"$out/errors" ||
		fail "cut at $size: $(cat "$out/errors")"
	[ "$(wc -l <"$out/errors")" -eq 1 ] ||
		fail "cut at $size: $(cat "$out/errors")"
done
rm "$flight"
ln -s "$out/whole" "$flight"
"$bcs" report "$(the_record)" >"$out/report" 2>"$out/errors" ||
	fail "a link: $(cat "$out/errors")"
grep -q "symbolic link" "$out/errors" || fail "a link is followed"

# What somebody does to the files is no end of the program.
forget
observed 2 "$program" ring "$out/go" >"$out/said" 2>&1 </dev/null &
job=$!
has_files 2
truncate -s 0 "$(the_record)/rank-000000.flight"
rm "$(the_record)/rank-000001.flight"
sleep 0.7
touch "$out/go"
status wait "$job"
[ "$rc" -eq 0 ] || fail "cut while it runs: ended with $rc: $(cat "$out/said")"

# A run that ends leaves none, and needs none.
forget
observed 2 "$program" few "$out/go" </dev/null || fail "ended with $?"
[ -z "$(find "$records" -name '*.flight')" ] || fail "left a flight recorder"
forget
BCS_FLIGHT=off observed 2 "$program" few "$out/go" </dev/null || fail "off: $?"
