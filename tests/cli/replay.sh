#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: replay.sh
# `bcs model simulate --trace`: times computed by hand, changes of a call site, and what
# it refuses.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

synth=$BCS_BUILD/tests/cli/synth_trace
"$synth" solve.bcs 3 4
solve_record solve.bcs
loggp=--loggp=1,0.5,0.001
# They shared two cores in the run.
cores=--cores=3

replay() {
	"$bcs" model simulate --trace=solve.bcs $cores "$@"
}

# A message of b bytes takes 2 us + b ns.  A round of 3 ranks takes 78.516 us, by rank 1:
# it computes for 60 and 1, takes a message that is there, 0.5, computes for 8, is in an
# allreduce of two messages, 4.016, and computes for 5.  Before the first it computes for
# 50, and after the last it does not compute.  Only the allreduces are on its way.
replay $loggp >lines
cat >wanted <<END
Ranks
  Rank  Recorded(us)  Replayed(us)  Computing(us)  Waiting(us)
     0       445.000       359.064        299.000       60.064
     1       445.000       359.064        341.000       18.064
     2       445.000       359.064        301.000       58.064

Overall
  Recorded   445.000 us
  Replayed   359.064 us, -19.3 %
  Latency    8 messages on the critical path; 449 ns more cost 1 %, 898 ns 2 %,
             2.244 us 5 %
  Bandwidth  64 B on the critical path take 64 ns; half of the bandwidth costs
             0.0 %
  Messages   16

END
diff wanted lines || fail "lines"

# is NS OPTION...
is() {
	wanted=$1
	shift
	got=$(replay --json $loggp "$@" | sed -n 's/.*"total".*"replayed_ns": \([0-9]*\),.*/\1/p')
	[ "$got" = "$wanted" ] || fail "$got, not $wanted: $*"
}

is 359064
# 37 of computation a round, after 25, without 2.5.
is 188564 --speed=2
is 375064 --latency=2
is 359128 --bandwidth=0.5
# The message comes at 56 + 12.064, when rank 1 waits for it.
is 465320 --add-latency=1e-5
is 363064 --strobe=demand:1e-6

# A system's file says the same; its overheads are those that were recorded, and half of
# a message's time where it is taken: 1.032, not 0.5.
printf '%s\n' "bcs-system 1" "t_p2p 2" "k_p2p 0.001" "d_tu 1" >here.system
[ "$(replay --csv --system=here.system | sed -n 3p)" = "1,445000,361192,341000,20192" ] ||
	fail "a file: $(replay --csv --system=here.system)"

# Allreduce costs nothing: 74.5 a round.  Receives cost nothing: 78.016.
allreduce=solve+0x1400 receive=solve+0x1300
"$bcs" export solve.bcs | grep -q "MPI_Allreduce.*\"$allreduce\"" ||
	fail "sites"
is 343000 --free=$allreduce
is 357064 --free=$receive
replay --json $loggp --free=$allreduce | grep -q '"changed_calls": 12,' || fail "changed"
# A part of a number is another one.
replay --json $loggp --free=solve+0x140 2>stderr | grep -q '"changed_calls": 0,' ||
	fail "a part of a site"
grep -q 'no call is at a place' stderr || fail "$(cat stderr)"
# Begun only, it ends while rank 1 computes; but for the last, 4.016.
is 347016 --nonblocking=$allreduce
# A message that waits for its receiver, at 61, takes 2.064.  Posted ahead, it comes at
# 58.064, where it moves while its receiver computes; but for the first.
is 365320 --eager=10
is 365320 --eager=10 --nonblocking=$receive
is 365320 --eager=10 --strobe=demand
is 359128 --eager=10 --strobe=demand --nonblocking=$receive
# The cores of the run, unless told.
cores=
replay $loggp | grep -q '^  Cores *2 of a node, which ranks share$' || fail "cores"
[ "$(replay --json $loggp)" = "$(replay --json $loggp --cores=2)" ] || fail "two cores"
cores=--cores=3
# Two places.
is 341000 --free=$allreduce --free=$receive

replay $loggp --verbose 2>&1 | grep -q '^71 events in .* million a second$' || fail "verbose"
[ -z "$(replay $loggp 2>&1 >/dev/null)" ] || fail "it has doubts"

bad() {
	text=$1
	shift
	fails 2 "$text" "$bcs" model simulate "$@"
}
bad "--trace needs a system" --trace=solve.bcs
bad "--trace or an APPLICATION, not both" --trace=solve.bcs $loggp x.lua
bad "--system or --loggp, not both" --trace=solve.bcs $loggp --system=kask
bad "none.bcs: No such file" --trace=none.bcs $loggp
for value in 1,2 1,2,3,4 -1,0,0 1,x,0 '' 1,,1; do
	bad "--loggp=$value" --trace=solve.bcs --loggp="$value"
done
for option in --latency=-1 --bandwidth=0 --speed=x --eager=-1 --cores=0 --quantum=0 \
	--add-latency=-1 --free= --nonblocking=; do
	bad "$option" --trace=solve.bcs $loggp $option
done
for option in --processes=p=1 --set=x=1 --sizes=p=1 --exact --checkpoint=1 --restart=1 \
	--limit=9 --memory=9 --power-cap=9 --svg; do
	bad "${option%%=*} has no effect with --trace" --trace=solve.bcs $loggp $option
done
for option in $loggp --latency=1 --add-latency=1 --bandwidth=1 --speed=1 --eager=1 \
	--cores=1 --quantum=1 --free=x --nonblocking=x; do
	bad "${option%%=*} has no effect without --trace" "$option" x.lua
done

mkdir none.bcs
solve_record none.bcs
bad "none.bcs: has no trace" --trace=none.bcs $loggp
# A rank is missing, or a part of it.
"$synth" part.bcs 3 4
rm part.bcs/rank-000002.trace
bad "traces of 2 ranks only, where a communicator has 3" --trace=part.bcs $loggp
"$synth" part.bcs 3 4000
head -c $(($(wc -c <part.bcs/rank-000001.trace) / 2)) part.bcs/rank-000001.trace >half
cp half part.bcs/rank-000001.trace
rc=0
"$bcs" model simulate --trace=part.bcs $loggp >stdout 2>stderr || rc=$?
[ $rc -eq 2 ] || fail "cut off: status $rc"
[ ! -s stdout ] || fail "cut off: $(cat stdout)"
grep -q 'rank-000000.trace: waits for ever' stderr || fail "cut off: $(cat stderr)"
grep -q 'rank-000001.trace: section' stderr || fail "cut off: $(cat stderr)"
