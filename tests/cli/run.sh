#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: run.sh CC FAKE_PRELOAD_C
# `bcs run` sets up the command, tells how it ended and where the record is, and
# has the records written before a signal ends it.
. "$BCS_SOURCE/tests/cli/record.sh"

mkdir analyzer pmpi-shim records
cp "$bcs" analyzer/bcs
bcs=$out/analyzer/bcs
fails 2 "libbcs-pmpi.so" "$bcs" run true
$1 -D_GNU_SOURCE -shared -fPIC -o pmpi-shim/libbcs-pmpi.so "$2"
preload=$out/pmpi-shim/libbcs-pmpi.so
# A program that the stand-in takes for one of MPI.
cp "$(command -v sleep)" rank

is() {
	[ "$2" = "$1" ] || fail "'$2' instead of '$1'${3+ ($3)}"
}

# The variables and the preload.
quiet() {
	"$bcs" run "$@" 2>stderr
}
show='echo "$LD_PRELOAD $BCS_CALLSITE_DEPTH $BCS_OUT"'
is "$preload 3 $out/records" \
	"$(quiet --callsite-depth=3 -o records sh -c "$show")"
is "$preload:libm.so.6  $out" "$(
	# For a build that is instrumented itself.
	export ASAN_OPTIONS=verify_asan_link_order=0
	LD_PRELOAD=libm.so.6 quiet sh -c "$show"
)"
is "job $(id -un)" "$(BCS_JOB=job quiet -- sh -c 'echo "$BCS_JOB $(id -un)"')"
# shellcheck disable=SC2016
quiet sh -c 'echo "$BCS_JOB" >job; echo $PPID >parent'
is "$(cat parent)" "$(cat job)" "the job is the pid of bcs run"

# AddressSanitizer does not mind being the second.
asan() {
	quiet sh -c 'echo "$ASAN_OPTIONS"'
}
is verify_asan_link_order=0 "$(unset ASAN_OPTIONS && asan)"
is detect_leaks=0:verify_asan_link_order=0 "$(ASAN_OPTIONS=detect_leaks=0 asan)"
is a=1:verify_asan_link_order=1 "$(ASAN_OPTIONS=a=1:verify_asan_link_order=1 asan)"
echo 'int main(void) { return 3; }' >asan.c
if "$1" -fsanitize=address -o asan asan.c 2>/dev/null && (
	unset ASAN_OPTIONS
	rc=0
	./asan || rc=$?
	[ $rc -eq 3 ]
); then
	fails 3 "no record appeared" env -u ASAN_OPTIONS "$bcs" run ./asan
fi

# A setting that cannot be is told of once, before anything is run.
BCS_MODE=nope fails 2 "BCS_MODE=nope is not taken (observe, demand, fixed)" \
	"$bcs" run touch ran
! grep -q using stderr || fail "it was not run: $(cat stderr)"
[ ! -e ran ] || fail "it was run with a wrong setting"

# A tree that is none is told of before anything is run.
echo none >none.tree
fails 2 "no tree of version 1" "$bcs" run --tree=none.tree touch ran
fails 2 "absent.tree: No such file" "$bcs" run --tree=absent.tree touch ran
[ ! -e ran ] || fail "it was run"

# A folder is made, an unsuitable one is refused before anything is run.
quiet --out=new true
[ -d new ] || fail "--out made no folder"
fails 2 "--polite=maybe" "$bcs" run --polite=maybe touch ran
fails 2 "Not a directory" "$bcs" run --out=job touch ran
fails 2 "No such file" "$bcs" run --out=no/such touch ran
fails 2 "which command is to be run? such as: bcs run -- mpiexec" "$bcs" run
[ ! -e ran ] || fail "it ran in spite of the error"

# How it ended, and where the record is.
fails 7 "no record appeared in $out" "$bcs" run sh -c 'exit 7'
fails 3 "no record appeared in $out: there is no ./none" "$bcs" run \
	sh -c 'exit 3' ./none
echo 'int main(void) { return 0; }' >static.c
if "$1" -static -no-pie -o static static.c 2>/dev/null; then
	fails 0 "./static is linked statically" "$bcs" run ./static
fi
fails 137 "killed before the end of MPI_Init leaves none" "$bcs" run sh -c 'kill -9 $$'
fails 127 "no-such-command: command not found" "$bcs" run no-such-command
fails 127 "./none: command not found: was it built?" "$bcs" run ./none
fails 127 "rank: command not found: did you mean ./rank?" "$bcs" run rank
fails 127 "mpiexec.none: command not found: is MPICH installed?" "$bcs" run \
	mpiexec.none -n 2 ./none
touch not-executable
fails 126 "Permission denied" "$bcs" run ./not-executable
fails 0 "bcs report rank.7.bcs" "$bcs" run --job=7 ./rank 0
fails 0 "bcs report records/rank.7.bcs" "$bcs" run --job=7 -o records ./rank 0
fails 0 "no record appeared" "$bcs" run --job=7 true
fails 5 "bcs report rank.8.bcs" "$bcs" run --job=8 sh -c './rank 0; exit 5'
# shellcheck disable=SC2016 # It is for the command.
fails 0 "the record rank.11.bcs is empty" "$bcs" run --job=11 sh -c \
	'./rank 60 & until ls rank.11.bcs/ready* 2>ls; do
	sleep 0.1; done; kill -9 $!'
fails 0 "bcs report rank.9.bcs, bcs slices rank.9.bcs" \
	"$bcs" run --job=9 --emds=on ./rank 0
fails 0 "with: bcs slices rank.10.bcs" \
	"$bcs" run --job=10 --emds=on --mmds=off ./rank 0
for options in "--emds=on --mode=observe" ""; do
	# shellcheck disable=SC2086 # none or two
	quiet --mmds=off $options true
	is "bcs run: no record was made: the recording is off (--mmds, BCS_MMDS)" \
		"$(cat stderr)" "without a record"
done

# files KIND JOB: how many there are of it in the job's record.
files() {
	find "rank.$2.bcs" -name "$1-*.gz" 2>/dev/null | wc -l
}

# start JOB COMMAND: runs it in the background until two ranks are ready.
start() {
	# What the shell runs in the background would ignore an interrupt.
	env --default-signal=INT,HUP "$bcs" run --job="$1" sh -c "$2" 2>stderr &
	pid=$!
	comes ready "$1"
}

# comes KIND JOB: two of them are there, in time.
comes() {
	for _ in $(seq 300); do
		[ "$(files "$1" "$2")" -lt 2 ] || return 0
		sleep 0.1
	done
	fail "the ranks of $2 left no files $1"
}

# A signal: all processes have written before it is passed on.
for signal in TERM.143 INT.130 HUP.129; do
	name=${signal%.*}
	start "$name" './rank 60 & exec ./rank 60'
	kill -"$name" "$pid"
	rc=0
	wait "$pid" || rc=$?
	is "${signal#*.}" "$rc" "status after $name"
	is 2 "$(files rank "$name")" "files after $name"
	grep -q "bcs report rank.$name.bcs" stderr ||
		fail "the record was not told after $name"
	# One of them was not the command's own, and lives on.
	find "rank.$name.bcs" -name 'ready-*' | sed 's/.*ready-//; s/\.gz//' |
		xargs kill 2>killed || :
done

# The dump signal: they write and go on.
start USR2 './rank 60 & one=$!; ./rank 60 &
	until [ -e over ]; do sleep 0.1; done; kill $one $!; exit 3'
kill -USR2 "$pid"
comes rank USR2
touch over
rc=0
wait "$pid" || rc=$?
is 3 "$rc" "status after USR2"
grep -qx "bcs run: 2 processes wrote to rank.USR2.bcs; see it with: bcs report rank.USR2.bcs" \
	stderr || fail "it did not say who wrote: $(cat stderr)"
rm over
"$bcs" run sh -c 'echo >ready; until [ -e over ]; do sleep 0.1; done' 2>stderr &
pid=$!
until [ -e ready ]; do sleep 0.1; done
kill -USR2 "$pid"
for _ in $(seq 300); do
	! grep -q "no process has written its record yet" stderr || break
	sleep 0.1
done
touch over
wait "$pid"
grep -q "no process has written its record yet" stderr || fail "said: $(cat stderr)"
is 2 "$(files rank USR2)" "files after USR2"

# A key of the terminal reaches the command once, not twice.
cat >key.py <<-'END'
	import os, pty, sys, time

	script = ("trap 'echo interrupted >>key; [ -e quit ]' INT; echo >started;"
	          "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do"
	          " sleep 0.1; done; exit 4")
	pid, terminal = pty.fork()
	if pid == 0:
	    os.execv(sys.argv[1], [sys.argv[1], "run", "sh", "-c", script])
	while not os.path.exists("started"):
	    time.sleep(0.05)
	os.write(terminal, b"\x03")
	try:
	    while os.read(terminal, 1000):
	        pass
	except OSError:
	    pass
	sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
rc=0
python3 key.py "$bcs" || rc=$?
is 4 "$rc" "status after a key"
is 1 "$(wc -l <key)" "interrupts after a key"

# What ignores a signal gets it once; a later one ends it and what it began.
"$bcs" run sh -c 'trap "" TERM; echo >ignores; while :; do sleep 0.1; done' \
	2>stderr &
pid=$!
until [ -e ignores ]; do sleep 0.1; done
kill -TERM "$pid"
sleep 3
kill -0 "$pid" || fail "it did not wait for a command that ignores a signal"
kill -TERM "$pid"
rc=0
wait "$pid" || rc=$?
is 137 "$rc" "status after the second signal"
