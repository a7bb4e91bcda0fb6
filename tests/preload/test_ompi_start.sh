#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_ompi_start.sh PROGRAM OF_MPICH
# However a program of Open MPI is started, it gets the recorder for Open MPI, or one
# line that says which file to preload.  The scheduler is refused in one line, and the
# program is observed.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
program=$1
of_mpich=$2
ompi=$(dirname "$shim")/libbcs-ompi.so
export BCS_OUT="$records"

# observed_by NAME: the one record is of that mode.
observed_by() {
	[ "$(value "$(the_record)/rank-000000.gz" mode)" = observe ] ||
		fail "$1: another mode"
	forget
}

# one_line PATTERN NAME: of ours, in what was said.
one_line() {
	lines=$(grep -c '^bcs' "$out/stderr") || :
	fits=$(grep -cE "^bcs.*$1" "$out/stderr") || :
	[ "$lines $fits" = "1 1" ] || fail "$2: it was said: $(cat "$out/stderr")"
}

# refused PATTERN NAME COMMAND...: without a record.
refused() {
	pattern=$1 name=$2
	shift 2
	status "$@" </dev/null >"$out/stdout" 2>"$out/stderr"
	[ "$rc" -eq 2 ] || fail "$name: status $rc"
	one_line "$pattern" "$name"
	[ -z "$(ls "$records")" ] || fail "$name: there is a record"
}

for mode in '' demand fixed; do
	BCS_MODE=$mode
	export BCS_MODE
	[ -n "$mode" ] || unset BCS_MODE
	observed 2 "$program" </dev/null 2>"$out/stderr" || fail "mode $mode: status $?"
	one_line "BCS_MODE=${mode:-demand}: .*not scheduled.*observed" "mode $mode"
	observed_by "mode $mode"
done

export BCS_MODE=observe
BCS_RECORD=schedule observed 2 "$program" </dev/null 2>"$out/stderr" ||
	fail "BCS_RECORD: status $?"
one_line 'neither recorded nor repeated' BCS_RECORD
observed_by BCS_RECORD

# shellcheck disable=SC2086 # words
"$bcs" run -- $launcher -n 2 "$program" </dev/null 2>"$out/stderr" ||
	fail "bcs run: status $?"
observed_by "bcs run"
"$bcs" run -- sh -c "$launcher -n 2 $program" </dev/null 2>"$out/stderr" ||
	fail "bcs run of a script: status $?"
observed_by "bcs run of a script"
"$bcs" run -- "$program" </dev/null 2>"$out/stderr" ||
	fail "bcs run of one rank: status $?"
observed_by "bcs run of one rank"
LD_PRELOAD=$ompi "$bcs" run -- sh -c "$program" </dev/null 2>"$out/stderr" ||
	fail "bcs run with LD_PRELOAD: status $?"
observed_by "bcs run with LD_PRELOAD"

# Two commands have a recorder each, of their own MPI.
# shellcheck disable=SC2086 # words
"$bcs" compare --out="$out/both" --runs=1 --warmup=0 $launcher -n 1 "$program" : \
	mpiexec.mpich -n 1 "$of_mpich" </dev/null >"$out/stdout" 2>"$out/stderr" ||
	fail "compare: status $?: $(cat "$out/stderr")"

# shellcheck disable=SC2016,SC2086 # of a rank; words
LD_PRELOAD=$shim:$shim timeout "$limit" $launcher -n 1 sh -c \
	'case $LD_PRELOAD in *libbcs-pmpi.so*) exit 3 ;; esac' </dev/null ||
	fail "preloaded twice: status $?"

refused 'preload libbcs-ompi.so' "without a launcher" \
	env LD_PRELOAD="$shim" "$program"
refused 'preload libbcs-pmpi.so' "a program of MPICH" \
	env LD_PRELOAD="$ompi" "$of_mpich"
# shellcheck disable=SC2086 # words
refused 'such as mpiexec.mpich' "a program of MPICH under this launcher" \
	env LD_PRELOAD="$shim" $launcher -n 1 "$of_mpich"
cp "$shim" "$out/libbcs-pmpi.so"
refused 'there is no libbcs-ompi.so' "without the other preload" \
	env LD_PRELOAD="$out/libbcs-pmpi.so" "$program"
