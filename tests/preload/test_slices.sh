#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_slices.sh KNOWN_P2P LATE
# The record of slices has what was moved and nothing else, and only what was asked
# for.  tick (benchmarks/) makes so many barriers, KNOWN_P2P says what it receives.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

known=$1
late=$2
tick=$BCS_BUILD/benchmarks/tick
bcs=$BCS_BUILD/analyzer/bcs

# of COLUMN [OPTION]...: its sum over all rows.
of() {
	column=$1
	shift
	"$bcs" slices --csv "$@" "$(the_record)" | awk -F , -v name="\"$column\"" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ sum += $at }
		END { print at ? sum + 0 : "no such column" }'
}

# is WHAT EXPECTED GOT
is() {
	[ "$2" = "$3" ] || fail "$1: $3 instead of $2"
}

slices() {
	forget
	BCS_EMDS=$1 observed "$2" "$3" barrier 100 "$4" >"$out/stdout"
}

# bytes: all that is received is counted.
bytes_are_right() {
	forget
	BCS_EMDS=on observed 3 "$known" "$out/file" >"$out/stdout"
	is "$BCS_MODE: bytes received" \
		"$(awk '/^expect/ { sum += $6 } END { print sum }' "$out/stdout")" \
		"$(of bytes)"
}

export BCS_MODE=demand
slices on 2 "$tick" 50
is "demand: collectives" 102 "$(of ncollmsm)"
is "demand: of rank 1" 51 "$(of ncollmsm --rank=1)"
is "demand: their messages" 102 "$(of ncolldem)"
is "demand: other messages" 0 "$(of np2pmsm)"
for metric in usrsts usrdem usrmsm gtts_ns ltsr_ns ltget_ns late_ns \
	ltdh_ns ltch_ns ltrh_ns; do
	is "demand: $metric" "no such column" "$(of $metric)"
done
# Debian's MPICH 5.0 says so: that each is on a node of its own.
MPIR_CVAR_NOLOCAL=1 slices on 2 "$tick" 50
is "demand: collectives of one node" 102 "$(of ncollmsm)"
is "demand: processes of it" 2 \
	"$(value "$(the_record)/rank-000000.gz" local_ranks)"
bytes_are_right

# By time a node has one row for each slice: a collective is counted once.
export BCS_MODE=fixed
slices on 2 "$tick" 50
is "fixed: collectives" 51 "$(of ncollmsm)"
# One file a node, and it is packed: stored ones are larger than what they hold.
is "fixed: files of one node" rank-000000.slices "$(basename "$(the_record)"/*.slices)"
[ "$(wc -c <"$(the_record)/rank-000000.slices")" -lt \
	"$(zcat "$(the_record)/rank-000000.slices" | wc -c)" ] || fail "fixed: slices are not packed"
is "fixed: their calls" 51 "$(of ncolldem)"
# All jobs of a node have the same grid.
zero=$(zcat "$(the_record)/rank-000000.slices" | sed -n 's/^zero_ns //p')
is "fixed: the beginning of slice 0 in a slice of 250 us" 0 $((zero % 250000))
is "fixed: other messages" 0 "$(of np2pmsm)"
# All slices are the helper's.
is "fixed: slices of the helper" "$(of slices)" "$(of helper)"
# Parts of a slice are not longer than all of it.
[ "$(of ltsr_ns)" -gt 0 ] || fail "fixed: no time of the Strobe Receiver"
[ $(($(of ltsr_ns) + $(of ltdem_ns) + $(of ltmsm_ns) + $(of ltget_ns) + $(of ltp2p_ns) + \
	$(of ltbbm_ns) + $(of ltrm_ns))) -le "$(of ltts_ns)" ] ||
	fail "fixed: the parts of slices are longer than they are"
# Two Collective Helpers work in BBM, and nobody reduces.
[ "$(of ltch_ns)" -gt 0 ] || fail "fixed: no time of the Collective Helpers"
[ "$(of ltch_ns)" -le $((2 * $(of ltbbm_ns))) ] ||
	fail "fixed: two Collective Helpers took longer than BBM"
is "fixed: time of Reduce Helpers" 0 "$(of ltrh_ns)"
for metric in copy_ns fold_ns poke_ns polls batches; do
	is "fixed: $metric" "no such column" "$(of $metric)"
done
# The Strobe Sender's alone; of one node all is done at the first look.
[ "$(of gtts_ns)" -gt "$(of ltts_ns)" ] || fail "fixed: a slice was over before its work"
[ "$(of gtdem_ns)" -gt "$(of ltdem_ns)" ] || fail "fixed: so was the exchange"
[ "$(of gtmsm_ns)" -gt "$(of ltmsm_ns)" ] || fail "fixed: so was the scheduling"
for metric in usrsts usrdem usrmsm left carried; do
	is "fixed: $metric" 0 "$(of $metric)"
done
BCS_NODE_SIZE=1 slices on 2 "$tick" 50
is "fixed: collectives of two nodes" 102 "$(of ncollmsm)"
is "fixed: files of two nodes" "rank-000000.slices rank-000001.slices" \
	"$(cd "$(the_record)" && echo *.slices)"
for metric in gtdem_ns gtmsm_ns gtts_ns usrsts usrdem usrmsm; do
	is "fixed: $metric of the second node" "no such column" \
		"$(of $metric --rank=1)"
done
# Between nodes bytes leave in GET, and a microstrobe takes its time.
for rank in 0 1; do
	[ "$(of late_ns --rank=$rank)" -gt 0 ] || fail "fixed: node of $rank is never late"
	[ "$(of ltget_ns --rank=$rank)" -gt 0 ] || fail "fixed: node of $rank has no GET"
done
bytes_are_right
# 20 receives of some bytes; three of them, of a Sendrecv, are from nobody.  Their
# sends are descriptors, too, as are 7 probes, and the preload's 6 looks for messages
# that are left at the end: of 3 processes, in two communicators.
is "fixed: descriptors of messages" 47 "$(of np2pdem)"
is "fixed: messages scheduled" 17 "$(of np2pmsm)"
[ "$(of ltdh_ns)" -gt 0 ] || fail "fixed: no time of the DMA Helpers"

# A node has taken in a barrier when its processes have called it; the other
# node's comes half a second later, and then both schedule it.
forget
BCS_NODE_SIZE=1 BCS_SLICE=1ms BCS_EMDS=on observed 2 "$late" >"$out/stdout"
# slice_of COLUMN RANK: the last one of the node in which it counted.
slice_of() {
	"$bcs" slices --csv --rank="$2" "$(the_record)" |
		awk -F , -v name="\"$1\"" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		at && $at > 0 { slice = $2 }
		END { print slice == "" ? "none" : slice }'
}
taken=$(slice_of ncolldem 0)
both=$(slice_of ncollmsm 0)
is "late: the other node's slice" "$both" "$(slice_of ncolldem 1)"
[ $((taken + 50)) -lt "$both" ] ||
	fail "late: taken in by slice $taken, scheduled in $both"

# Idle ones, too: a process alone computes some 400 slices of 1 ms.
export BCS_MODE=fixed
BCS_SLICE=1ms BCS_EMDS_SLICES=100-300 slices every 1 "$tick" 4000
n=$(of slices)
if [ "$n" -lt 10 ] || [ "$n" -gt 201 ]; then
	fail "$n of the slices from 100 to 300"
fi
for range in 0-99 301-1000000; do
	! "$bcs" slices --csv --slices=$range "$(the_record)" 2>/dev/null ||
		fail "slices from $range"
done

# Each slice has one row on each node, also if only one has something to do; and what
# it counts is of this slice.
# Whose machine is busy has few slices in half a second: several runs are looked at.
every() {
	forget
	BCS_SLICE=1ms BCS_NODE_SIZE=1 BCS_EMDS=every observed 2 "$late" >"$out/stdout"
	"$bcs" slices --csv "$(the_record)" | awk -F , -v rows="$out/rows" '
	NR == 1 { for (i = 1; i <= NF; i++) { gsub("\"", "", $i); at[$i] = i } next }
	seen[$1 "," $2]++ { print "slice " $2 " of " $1 " has two rows"; exit }
	{ parts = 0
	  for (name in at)
		if (name ~ /^lt(sr|dem|msm|get|p2p|bbm|rm)_ns$/) parts += $at[name] }
	$at["ltsr_ns"] == 0 { print "slice " $2 " did not begin"; exit }
	# Each is rounded to a nanosecond.
	parts > $at["ltts_ns"] + 4 { print "slice " $2 ": parts take longer"; exit }
	$1 == 0 && $at["gtts_ns"] < $at["ltts_ns"] {
		print "slice " $2 " was over before its work"; exit }
	END { print NR - 1 >rows }'
}
rows=0
runs=0
while [ $rows -lt 200 ] && [ $((runs += 1)) -le 10 ]; do
	wrong=$(every)
	is "every: wrong rows" "" "$wrong"
	rows=$((rows + $(cat "$out/rows")))
done
[ $rows -ge 200 ] || fail "every: $rows rows in ten runs"

# Some processes, some metrics, ten to a row; without a record of calls.
export BCS_MODE=demand
BCS_RANKS=1 slices on 2 "$tick" 10
is "files" rank-000001.slices "$(basename "$(the_record)"/*.slices)"
BCS_MMDS=off BCS_EMDS_METRICS=ncollmsm BCS_EMDS_RESOLUTION=10 slices on 2 "$tick" 50
is "collectives, ten to a row" 102 "$(of ncollmsm)"
is "bytes that were not asked for" "no such column" "$(of bytes)"
is "records of calls" "" "$(find "$(the_record)" -name '*.gz')"
[ "$("$bcs" slices --csv "$(the_record)" | wc -l)" -lt 30 ] ||
	fail "more rows than there should be"

# One that is killed leaves what it did, one that aborts all of it.
# shellcheck disable=SC2016 # of a rank
killed='"$@" & until [ -e "$0" ]; do sleep 0.1; done; kill -9 $!; wait $!'
forget
BCS_EMDS=on observed 2 sh -c "$killed" "$out/go" "$tick" barrier 1000 1000000 \
	>"$out/stdout" 2>"$out/stderr" &
i=0
until [ "$(of ncollmsm 2>"$out/cut" 9>&2)" -gt 100 ] 2>"$out/cut"; do
	[ $((i += 1)) -le 300 ] || fail "little of who is to be killed"
	sleep 0.1
done
touch "$out/go"
wait $! || :
[ "$(of ncollmsm 2>"$out/cut")" -gt 100 ] || fail "little of who was killed"
grep -q "not end well\|cut off" "$out/cut" || fail "a cut off file was not told of"

# Whose folder is removed while it runs has lost them, and that is told.
forget
BCS_EMDS=on observed 2 "$tick" barrier 10000 300 >"$out/stdout" 2>"$out/stderr" &
until ls "$records"/*/rank-000001.slices >"$out/ls" 2>&1; do
	kill -0 $! || fail "no record of slices appeared"
	sleep 0.1
done
# At once, so that no rank finds it half there.
mv "$(the_record)" "$out/removed"
rm -r "$out/removed"
wait $! || fail "removed: status $?"
# Two ranks may find it at the same moment: both say the same then.
[ "$(sort -u "$out/stderr" | wc -l)" -eq 1 ] ||
	fail "removed: told: $(cat "$out/stderr")"
grep -q "^bcs: cannot write the record in .*: No such file" "$out/stderr" ||
	fail "removed: not told: $(cat "$out/stderr")"

# There is nothing to record where MPI does it all.
forget
BCS_MODE=observe BCS_EMDS=on observed 2 "$tick" barrier 100 5 2>"$out/stderr" \
	>"$out/stdout"
is "lines on stderr" 1 "$(wc -l <"$out/stderr")"
grep -q "nothing to record" "$out/stderr" || fail "not told that there is nothing"
