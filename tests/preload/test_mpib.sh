#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_mpib.sh PROGRAM RUN COMMAND
# mpib's collectives are right, what it measures adds up, and it finds the offset of
# a clock that is known; its command takes what its help has.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# quiet COMMAND...: it finds nothing wrong.
quiet() {
	"$@" >"$out/said" 2>&1 && [ ! -s "$out/said" ] && return
	cat "$out/said" >&2
	fail "wrong: $*"
}

# polite RANKS PROGRAM...: in a crowd plain MPICH takes whole time slices to wait.
polite() {
	BCS_MODE=observe BCS_POLITE=on BCS_MMDS=off observed "$@"
}

# Results are of pairs and triples, too, and of two pairs at a time.
for n in 1 2; do
	quiet native $n "$1" colls
	quiet native $n "$1" clock 0
done
quiet native 1 "$1" results
for n in 2 4; do
	quiet polite $n "$1" results
done
quiet polite 3 "$1" clock 0
for n in 3 5; do
	quiet polite $n "$1" colls
done

# bound CORE: what two say, one on core 0 and one on that.
bound() {
	timeout -k 5 "$limit" mpiexec.mpich -n 1 taskset -c 0 "$run" barrier \
		--repetitions=1:1 : -n 1 taskset -c "$1" "$run" barrier \
		--repetitions=1:1 2>&1
}

# Processes that are bound to a core each have all of these.
run=$2
bound 0 | grep -q "more processes than cores" || fail "a crowd is not told of"
if taskset -c 1 true 2>/dev/null; then
	! bound 1 | grep "more processes" || fail "two bound to two are no crowd"
fi

# lines N WHAT: the table has so many.
lines() {
	[ "$(wc -l <"$out/table")" -eq "$1" ] || fail "not $1 lines: $2"
}

native 2 "$2" scatter --sizes=0:8:4 --csv --repetitions=3:5 >"$out/table"
lines 13 scatter
head -n 1 "$out/table" |
	grep -qx 'collective,processes,bytes,algorithm,segment,seconds,library,choice' ||
	fail "another head"
grep -qE '^scatter,2,4,binomial,0,[0-9]+\.[0-9]{9},mpib [0-9.]+,forced$' "$out/table" ||
	fail "no binomial scatter of 4 bytes"
# PLogP: g(0), and of each size a round trip and both overheads; others look on.
native 2 "$2" plogp --sizes=0:8:8 --csv --check --repetitions=3:5 >"$out/table"
[ "$(cut -d , -f 1-5 "$out/table" | tr '\n' ' ')" = \
	"collective,processes,bytes,algorithm,segment gap,2,0,mpi,0 rtt,2,0,mpi,0 o_s,2,0,mpi,0 o_r,2,0,mpi,0 rtt,2,8,mpi,0 o_s,2,8,mpi,0 o_r,2,8,mpi,0 " ] ||
	fail "not PLogP's parameters: $(cat "$out/table")"
! cut -d , -f 6 "$out/table" | sed 1d | grep -vE '^[0-9]+\.[0-9]{9}$' || fail "no times"
MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial native 2 "$2" bcast --sizes=8:8:8 --csv \
	--algorithm=mpi --repetitions=3:5 >"$out/table"
grep -qE '^bcast,2,8,binomial,0,[0-9.]+,mpich [0-9a-z.]+,forced$' "$out/table" ||
	fail "what MPICH is told to take: $(cat "$out/table")"
for what in allreduce reduce reduce_scatter reduce_scatter_block scan exscan scatterv gatherv \
	allgatherv alltoallv ibcast ialltoall; do
	native 2 "$2" $what --check --sizes=0:8:8 --csv --repetitions=3:5 >"$out/table"
	grep -qE "^$what,2,8,mpi,0,[0-9.]+,mpich [0-9a-z.]+,default$" "$out/table" ||
		fail "$what: $(cat "$out/table")"
done
# What a pattern moves in a repetition: its window, of a pair or of all, or both ways.
for case in bandwidth:2:64 bidirectional:2:128 message_rate:4:128 multi_pair:4:4; do
	what=${case%%:*}
	polite "$(echo "$case" | cut -d : -f 2)" "$2" "$what" --check --json --sizes=8:8:8 \
		--repetitions=3:5 >"$out/table"
	lines 2 "$what"
	grep -q "\"what\": \"$what\", \"algorithm\": \"mpi\".*\"messages\": ${case##*:}, " \
		"$out/table" || fail "$what: $(cat "$out/table")"
done
tail -n 1 "$out/table" | sed 's/.*"median": \([0-9.]*\).*"bytes_per_s": \([0-9]*\).*/\1 \2/' |
	awk '{ exit !($1 * $2 > 31 && $1 * $2 < 33) }' ||
	fail "not 4 times 8 bytes a repetition: $(cat "$out/table")"
for what in put get accumulate fetch_and_op; do
	sizes=--sizes=8:8:8
	[ $what != fetch_and_op ] || sizes=
	# shellcheck disable=SC2086 # none, or one
	native 2 "$2" $what --check $sizes --window=3 --repetitions=3:5 >"$out/table"
	[ "$(sed 1d "$out/table" | awk '{ print $2, $3 }' | tr '\n' ' ')" = \
		"fence 8 lock 8 flush 8 pscw 8 " ] || fail "$what: $(cat "$out/table")"
done
native 2 "$2" put --algorithm=pscw --csv --sizes=8:8:8 --repetitions=3:5 >"$out/table"
grep -qE '^put,2,8,pscw,0,[0-9.]+,mpich [0-9a-z.]+,default$' "$out/table" ||
	fail "not MPICH's: $(cat "$out/table")"
native 2 "$2" ibarrier --check --repetitions=3:5 >"$out/table"
lines 2 ibarrier
native 2 "$2" pairs --check --sizes=8:8:8 --repetitions=3:5 >"$out/table"
lines 2 pairs
polite 3 "$2" barrier --csv --repetitions=3:5 >"$out/table"
lines 2 barrier
grep -qE '^barrier,3,0,mpi,0,[0-9]+\.[0-9]{9},mpich [0-9a-z.]+,default$' "$out/table" || fail "no barrier"
native 2 "$2" pairs --sizes=4-64 --json --repetitions=3:5 --error=0 >"$out/table"
grep -q '"pair": \[0, 1\]' "$out/table" || fail "no pair"
native 2 "$2" bcast --json --sizes=1:1:1 --repetitions=4:4 \
	--algorithm=linear >"$out/table"
lines 2 bcast
grep -q '"timing": "maximum", "start": "barrier"' "$out/table" ||
	fail "how it was timed: $(head -n 1 "$out/table")"
grep -qE '"reps": 4, .*"samples": \[([0-9.]+, ){3}[0-9.]+\]' "$out/table" ||
	fail "not 4 samples"
polite 3 "$2" triples --sizes=4:4:1 --csv --repetitions=3:5 --parallel \
	>"$out/table"
lines 4 triples
grep -qE '^triples,3,4,1-0\+2,0,[0-9]+\.[0-9]{9},mpib [0-9.]+,forced$' "$out/table" || fail "no 1-0+2"

# refused RANKS MESSAGE ARGUMENT...: in one line and before anything else.
refused() {
	ranks=$1 message=$2
	shift 2
	status native "$ranks" "$run" "$@" >"$out/table" 2>"$out/said"
	[ "$rc.$(cat "$out/table").$(wc -l <"$out/said")" = 2..1 ] ||
		fail "status $rc, not refused in one line: $(cat "$out/said")"
	grep -qF "mpib_run: $message" "$out/said" ||
		fail "not refused by '$message': $(cat "$out/said")"
}
refused 2 "triples need 3 processes" triples
refused 1 "pairs need 2 processes" pairs
refused 2 "'exscam' is nothing that is measured" exscam
refused 1 "put needs 2 processes" put
refused 2 "--algorithm=binomial: put has not that" put --algorithm=binomial
refused 2 "--sizes: a window of 64 times 2000000000 bytes" bandwidth --sizes=0:2000000000:8
refused 2 "--sizes: 2000000000 bytes of 2 processes" alltoall --sizes=0:2000000000:8
refused 2 "--timing=tasks is of bcast and scatter alone" gather --timing=tasks
refused 2 "--algorithm=nope: bcast has mpi, linear, binomial, ring" bcast --algorithm=nope
refused 2 "--root=7: there are ranks 0 to 1" bcast --root=7
native 2 "$2" bcast --gnuplot --sizes=0:8:4 --repetitions=3:5 >"$out/script"
[ "$(sed -n '/^\$data << END$/,/^END$/p' "$out/script" |
	grep -cE '^(mpi|linear|binomial|ring) [048]( [0-9]+\.[0-9]{3}){3}$')" -eq 12 ] ||
	fail "not what gnuplot is to draw: $(cat "$out/script")"
grep -qF 'for [name in "mpi linear binomial ring"] $data' "$out/script" ||
	fail "not a curve for each"
if command -v gnuplot >"$out/gnuplot"; then
	gnuplot -e "set terminal svg; set output '$out/plot.svg'" "$out/script" ||
		fail "gnuplot does not take it"
	grep -q binomial "$out/plot.svg" || fail "no curve of binomial"
fi

# wrong PATTERN WHAT OPTION...: one line that says so, and status 2.
wrong() {
	pattern=$1
	shift
	status native 1 "$run" "$@" >"$out/said" 2>"$out/errors"
	[ "$rc" -eq 2 ] || fail "status $rc, not 2: $*"
	[ ! -s "$out/said" ] || fail "it went on: $*"
	[ "$(wc -l <"$out/errors")" -eq 1 ] &&
		grep -q -- "^mpib_run: .*$pattern" "$out/errors" && return
	cat "$out/errors" >&2
	fail "not said: $pattern"
}
run=$2
for option in --sizes=9:8 --timing=none --error=-1 --error=inf --budget=1e999 \
	--root=4294967296 --seed=-1 --nope --repetitions=0:0 \
	--repetitions=10:5; do
	wrong "no such option.*$option" bcast $option
done
wrong "the last is less" bcast --sizes=9:8:1
wrong "one WHAT" bcast barrier
wrong "csv, --json or" bcast --csv --gnuplot
wrong "timing=tasks is not of" barrier --timing=tasks
wrong "timing=tasks is of bcast" put --timing=tasks
wrong "sizes has no effect on barrier" barrier --sizes=1:1:1
wrong "csv has no effect on clock" clock --csv
wrong "timing has no effect on skew" skew --timing=root
wrong "root has no effect on pairs" pairs --root=1
wrong "start has no effect on triples" triples --start=once
wrong "back has no effect on bcast" bcast --back=1
wrong "shuffle has no effect on barrier" barrier --shuffle
wrong "check has no effect on triples" triples --check
wrong "window has no effect on bcast" bcast --window=2
wrong "sizes has no effect on fetch_and_op" fetch_and_op --sizes=8:8:8
wrong "warm-up has no effect on pairs" pairs --warm-up=3
wrong "flush has no effect on triples" triples --flush=3
wrong "no such option.*--flush=1k" bcast --flush=1k
wrong "root has no effect on put" put --root=1
wrong "back has no effect on ibcast" ibcast --back=1
wrong "no such option.*--window=0" put --window=0
wrong "the curve says what size is next" bcast --shuffle --sizes=0-64
wrong "gnuplot draws lines" bcast --shuffle --gnuplot
polite 3 "$2" bcast --sizes=1:1:1 --timing=tasks --start=deadline --repetitions=3:5 \
	>"$out/table"
lines 5 tasks

# A clock that is ahead by as much as is known.  All are in one user namespace, or
# they would not reach each other's memory.
ahead="unshare --time --monotonic 1000 --fork"
# shellcheck disable=SC2086 # words
unshare -r $ahead true 2>/dev/null || skip "no time namespaces here"
# shellcheck disable=SC2086
quiet timeout -k 5 "$limit" unshare -r mpiexec.mpich -n 1 "$1" clock 1000 : \
	-n 1 $ahead "$1" clock 1000
