#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: advise.sh
# What `bcs advise` makes of traces whose gains are known.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

# steps CALL CALL KIND: 100 steps of two ranks.  In each one of them computes 1 and the other
# 3 ms: by turns with KIND other or odd, by turns of ten steps with KIND tens, else rank 1 is
# the slow one.  Then rank 0 is in the first call and rank 1 in the second, which both end 10 us after
# both have begun.
steps() {
	awk -v first="$1" -v second="$2" -v kind="$3" '
	BEGIN {
		peer = first ~ /Allreduce/ ? "- - -1 1" : "1 0 7 2"
		split(peer, p, " ")
		print "0 call MPI_Init 4 0 100 - -1 0 0"
		print "1 call MPI_Init 4 0 100 - -1 0 0"
		t = 100
		for (i = 0; i < 100; i++) {
			slow = kind == "other" ? i % 2 : kind == "odd" ? (i + 1) % 2 : kind == "tens" ? int(i / 10) % 2 : 1
			a = t + (slow ? 1000 : 3000)
			b = t + (slow ? 3000 : 1000)
			t = (a > b ? a : b) + 10
			print 0, "call", first, 1, a, t, p[1], p[3], 0, 8192
			print 1, "call", second, p[4], b, t, p[2], p[3], 0, 8192
		}
		print "0 call MPI_Finalize 4", t, t + 50, "- -1 0 0"
		print "1 call MPI_Finalize 4", t, t + 50, "- -1 0 0"
	}'
}

# advised NAME: the advice on the events on stdin, for 2 ranks, as NAME.json and NAME.txt.
advised() {
	solve_record "$1.bcs"
	"$BCS_BUILD"/tests/cli/synth_events "$1.bcs" "${2-2}"
	"$bcs" advise --json "$1.bcs" >"$1.json"
	"$bcs" advise --width=80 "$1.bcs" >"$1.txt"
	awk 'length > 80 { exit 1 }' "$1.txt" || fail "$1: a long line"
}

# finds NAME: its advice, its losses and the whole run, in us, are the lines on stdin.
finds() {
	python3 - "$1.json" >found <<-'END'
		import json, sys
		all = json.load(open(sys.argv[1]))
		run = {key[:-3]: value // 1000 for key, value in all["run"].items()}
		assert run["time"] == run["replayed"], run
		print("run", run["time"], run["gain"], run["most"])
		for row in all["advice"]:
		    assert abs(row["gain_percent"] - row["gain_ns"] / run["time"] / 10) < 0.01
		    print(row["call"], row["into"], row["gain_ns"] // 1000,
		          row["most_ns"] // 1000)
		for row in all["no_help"]:
		    print("no help", row["call"], row["waiting_ns"] // 1000)
	END
	diff - found || fail "$1"
}

# A step takes 3010 us.  With a send that is waited for a step later, two steps take 4020 us,
# since each rank computes 4 ms in them; but for the last two, with none after them.
# Where the calls cost nothing, 10 us of each of 100 steps are gained, too.
steps MPI_Send MPI_Recv other | advised exchange
finds exchange <<END
run 301000 98000 99000
MPI_Recv MPI_Irecv 98000 98020
MPI_Send MPI_Isend 98000 98000
END
has() {
	tr -s ' \n' '  ' <"$1" >flat
	grep -qF -- "$2" flat || fail "$1: no '$2': $(cat "$1")"
}
has exchange.txt '2. MPI_Send at solve+0x1234 -> MPI_Isend'
has exchange.txt 'gain 33 % of the run (98.000 ms), at most 33 % ('
has exchange.txt 'Wait for it where the buffer is written again, at the latest before the next call here.'
has exchange.txt 'MPI_Recv at solve+0x1300 -> MPI_Irecv'
has exchange.txt 'all 33 % of the run (98.000 ms), at most 33 % (99.000 ms)'

# The way from MPI_Init to the first receive is longer than the usual one, but it comes once.
steps MPI_Send MPI_Recv odd | advised odd
has odd.txt 'Post it after the call here that comes before: then the rank computes 1.990 ms'

# What MPI_Sendrecv sends is not there earlier: only its receive can be posted.
awk 'BEGIN {
	for (i = 0; i < 100; i++) {
		for (rank = 0; rank < 2; rank++) {
			rest = 1 " " 100 + i * 1000 " " 200 + i * 1000 " " 1 - rank
			print rank, "call MPI_Sendrecv", rest, "7 0 8192"
			print rank, "sent MPI_Sendrecv", rest, "7 0 8192"
			print rank, "received MPI_Sendrecv", rest, "7 0 8192"
		}
	}
}' | advised both
has both.txt 'Post MPI_Irecv earlier, begin MPI_Isend as soon as its data is there, and wait for both here.'
has both.txt 'Post the receive after the call here that comes before'

# A collective call is waited for before the next call, which is that of the next step.
steps MPI_Allreduce MPI_Allreduce other | advised sum
finds sum <<END
run 301000 100000 101000
MPI_Allreduce MPI_Iallreduce 100000 101000
END
has sum.txt 'Up to the next call the rank computes 2.000 ms'
# Nobody looked whether the computation needs the sum.
grep -q '"call": "MPI_Allreduce".*"sure": "fair"' sum.json || fail "sum: $(cat sum.json)"

# Three sends in a row have buffers of their own: all of them are waited for a step later.
steps MPI_Send MPI_Recv other | awk '
	{ print }
	/MPI_Send|MPI_Recv/ {
		for (i = 0; i < 2; i++) {
			$5 = $6 + (i == 0)
			$6 = $5 + 1
			print
		}
	}' | advised rows
finds rows <<END
run 301000 98000 99200
MPI_Recv MPI_Irecv 98000 98013
MPI_Send MPI_Isend 98000 98000
END
has rows.txt 'Calls come here about 3 in a row: one MPI_Waitall for them.'

# A rank gets one step of 3010 us ahead, no more.  Rank 0 does so in four of its fast turns; the
# fifth is the end.  In a sum rank 1 does so, too, in its five.  With both, a send that is waited
# for later meets a receive that is posted earlier: that is two steps.
steps MPI_Send MPI_Recv tens | advised tens
finds tens <<END
run 301000 24040 81000
MPI_Send MPI_Isend 12040 80090
MPI_Recv MPI_Irecv 12000 12510
END
steps MPI_Allreduce MPI_Allreduce tens | advised sum_tens
finds sum_tens <<END
run 301000 27090 101000
MPI_Allreduce MPI_Iallreduce 27090 101000
END

# Another collective call follows 5 us after the sum.
steps MPI_Allreduce MPI_Allreduce other | awk '
	{ print }
	/MPI_Allreduce/ { print $1, "call MPI_Bcast 3", $6 + 5, $6 + 6, "0 -1 0 8" }' | advised little
python3 - <<'END' || fail "little: $(cat little.json)"
import json
rows = json.load(open("little.json"))["advice"]
assert [row["call"] for row in rows] == ["MPI_Allreduce"], rows
assert rows[0]["gain_percent"] < 1 and rows[0]["most_percent"] > 30, rows
assert rows[0]["sure"] == "fair", rows
END
has little.txt 'That is too little to overlap a wait of 1.000 ms with: move more between.'

# The run goes on for ten seconds, so that the gain is a tiny share of it.
steps MPI_Allreduce MPI_Allreduce other | awk '
	/MPI_Finalize/ { $5 += 10000000; $6 += 10000000 }
	{ print }
	/MPI_Allreduce/ { print $1, "call MPI_Bcast 3", $6 + 5, $6 + 6, "0 -1 0 8" }' | advised tiny
has tiny.txt 'gain <0.01 % of the run ('

# Two receives cost 10 us of 3020 us each: little, but together more than 0.5 %.
awk 'BEGIN {
	for (i = 0; i < 100; i++) {
		t = 100 + i * 3020
		print 0, "call MPI_Send 1", t + 1500, t + 1500, "1 7 0 8"
		print 1, "call MPI_Recv 2", t, t + 1510, "0 7 0 8"
		print 1, "call MPI_Send 1", t + 3010, t + 3010, "0 7 0 8"
		print 0, "call MPI_Recv 3", t + 1500, t + 3020, "1 7 0 8"
	}
}' | advised together
finds together <<END
run 302000 0 2000
MPI_Recv MPI_Irecv 0 1000
MPI_Recv MPI_Irecv 0 1000
END

# The same rank is late in each step.
steps MPI_Allreduce MPI_Allreduce same | advised uneven
finds uneven <<END
run 301000 0 1000
no help MPI_Allreduce 200000
END
has uneven.txt 'none No blocking call'
has uneven.txt 'no other call changes that: it is imbalance. For 99 % of it the late rank computed between calls of MPI_Allreduce'
has uneven.txt 'imbalance rank 1 computes 100.000 ms longer than the mean, 33 % of the run'
steps MPI_Send MPI_Recv same | advised late
finds late <<END
run 301000 0 1000
no help MPI_Send 200000
END

# Rank 0 waits for rank 1, which waits for rank 2.
awk 'BEGIN {
	for (i = 0; i < 20; i++) {
		t = 100 + i * 1000
		print 2, "call MPI_Send 1", t + 800, t + 805, "1 7 0 8"
		print 1, "call MPI_Recv 2", t + 5, t + 810, "2 7 0 8"
		print 1, "call MPI_Send 1", t + 820, t + 825, "0 8 0 8"
		print 0, "call MPI_Wait 3", t + 1, t + 830, "- -1 0 0"
		print 0, "received MPI_Wait 3", t + 1, t + 830, "1 8 0 8"
	}
}' | advised chain 3
has chain.txt 'MPI_Wait at solve+0x1400: 16.380 ms of waiting. The late ranks wait themselves'
has chain.txt 'the late rank waited in MPI_Recv at solve+0x1300'

# Small messages in a row.
awk 'BEGIN {
	for (i = 0; i < 1000; i++) {
		t = 100 + int(i / 5) * 500 + i % 5 * 2
		print 0, "call MPI_Send 1", t, t + 1, "1 7 0 8"
		print 1, "call MPI_Recv 2", t, t + 1, "0 7 0 8"
	}
}' | advised tiny
has tiny.txt 'tiny messages MPI_Send at solve+0x1234 comes 5 times in a row, with at most 8 B: those to the same rank could be one.'


# Small sums in a row.
awk 'BEGIN {
	for (i = 0; i < 200; i++)
		for (r = 0; r < 2; r++) {
			t = 100 + int(i / 4) * 500 + i % 4 * 2
			print r, "call MPI_Allreduce 3", t, t + 1, "- -1 0 8"
		}
}' | advised sums
has sums.txt 'serial calls MPI_Allreduce at solve+0x1400 comes 4 times in a row, with at most 8 B: one call could have the values of all.'

# Of 2 * 400 us, rank 0 has no core for 30 of its computation and 20 of its call; that waits for a
# slice, which begins at 250, from 180 on, and for its end until it is ready at 380.
solve_facts="mode fixed slice_ns 100000 slice_zero_ns 1000050000"
advised lost <<END
0 call MPI_Init 4 0 10 - -1 0 0
1 call MPI_Init 4 0 10 - -1 0 0
0 call MPI_Recv 2 100 400 1 7 0 8
0 core MPI_Recv 2 100 400 - -1 0 30000
1 call MPI_Send 1 180 185 0 7 0 8
0 call MPI_Finalize 4 410 460 - -1 0 0
1 call MPI_Finalize 4 410 460 - -1 0 0
END
solve_facts=
has lost.txt 'no core for 7.5 % of their time ranks waited for nothing but a core: 30.000 us in calls, and 30.000 us while they computed.'
has lost.txt 'slices calls waited for slices for 23.8 % of the ranks'"'"' time: 70.000 us until one began, and 120.000 us until it was over.'

solve_record solve.42.bcs
fails 2 "has no trace; record one with bcs run --trace" "$bcs" advise solve.42.bcs
fails 2 "one record at a time" "$bcs" advise sum.bcs sum.bcs
fails 2 "none.bcs: No such file" "$bcs" advise none.bcs

# In slices, what a call takes once all have begun it passes beside the computation: the same
# calls gain these 10 us, too, and imbalance is all that is left.
solve_facts="mode fixed"
steps MPI_Send MPI_Recv other | advised exchange_fixed
finds exchange_fixed <<END
run 301000 98990 99000
MPI_Recv MPI_Irecv 98010 98020
MPI_Send MPI_Isend 98000 98000
END
steps MPI_Allreduce MPI_Allreduce same | advised uneven_fixed
finds uneven_fixed <<END
run 301000 990 1000
no help MPI_Allreduce 200000
END

# On one core the other rank computes while one waits: then only 10 us of each step are idle, if
# calls cost nothing or slices do their work.
solve_facts="mode fixed local_ranks 2 cores 1000"
steps MPI_Allreduce MPI_Allreduce other | advised sum_core_fixed
finds sum_core_fixed <<END
run 301000 1000 1000
no help MPI_Allreduce 200000
END
solve_facts="local_ranks 2 cores 1000"
steps MPI_Allreduce MPI_Allreduce other | advised sum_core
finds sum_core <<END
run 301000 0 1000
no help MPI_Allreduce 200000
END
has sum_core.txt 'there are more ranks than cores'
solve_facts=

# The sum is used 500 us of computation after the call.  The slow rank begins it 3000 us after
# the first step's begin.  The other one has computed 500 us of the 3000 of its next step by then.
# So each step but the first takes 2500 us, and 10 us for the last call.
used() {
	gzip -dc "$1" | sed '/^section end /,$d' | gzip -n
	echo "$2" |
		table reuses "call path use at_call at_path count computation_ns"
	gzip -dc "$1" | sed -n '/^section end /,$p' | gzip -n
}
steps MPI_Allreduce MPI_Allreduce other | advised used
for rank in 0 1; do
	used used.bcs/rank-00000$rank.gz "MPI_Allreduce 1 received % 1 16 8000000" >used.gz
	mv used.gz used.bcs/rank-00000$rank.gz
done
"$bcs" advise --json used.bcs >used.json
"$bcs" advise --width=80 used.bcs >used.txt
finds used <<END
run 301000 50490 50500
MPI_Allreduce MPI_Iallreduce 50490 50500
END
has used.txt 'wait for it at solve+0x1234, where a buffer of it is used: until then the rank computes 500.000 us.'
has used.txt 'The buffers of 32 calls were looked at.'

# Rank 1 uses it 1500 us after the call.  Its own use counts, not the mean of both, with which
# nobody would wait: two steps would take 4000 us, and not 5000.
steps MPI_Allreduce MPI_Allreduce other | advised apart
used apart.bcs/rank-000000.gz "MPI_Allreduce 1 received % 1 16 8000000" >used.gz
mv used.gz apart.bcs/rank-000000.gz
used apart.bcs/rank-000001.gz "MPI_Allreduce 1 received % 1 16 24000000" >used.gz
mv used.gz apart.bcs/rank-000001.gz
"$bcs" advise --json apart.bcs >apart.json
finds apart <<END
run 301000 51470 51500
MPI_Allreduce MPI_Iallreduce 51470 51500
END

# What was sent is written again at once.  In slices the send takes 10 us then, but with further
# buffers.
solve_facts="mode fixed"
steps MPI_Send MPI_Recv other | advised written
used written.bcs/rank-000000.gz "MPI_Send 1 sent % 1 16 0" >used.gz
mv used.gz written.bcs/rank-000000.gz
"$bcs" advise --json written.bcs >written.json
"$bcs" advise --width=80 written.bcs >written.txt
finds written <<END
run 301000 98010 99000
MPI_Recv MPI_Irecv 98010 98020
MPI_Send MPI_Isend 0 98000
END
grep -q '"apart_ns": 98990' written.json || fail "written: $(cat written.json)"
has written.txt 'With a further buffer it can wait until the next call here.'
