#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_slices_exact.sh COUNTED
# In fixed mode each metric of a slice has the value that the program's calls make.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
export BCS_MODE=fixed BCS_EMDS=on BCS_SLICE=5ms BCS_BUDGET=100000

BCS_TRACE=on observed 2 "$1" >"$out/stdout"
"$bcs" slices --csv "$(the_record)" >"$out/rows"

# Between the first of three collectives and the last a line for each slice: its counts,
# and who of the DMA, Collective and Reduce Helpers worked.
awk -F , '
	NR == 1 { for (i = 1; i <= NF; i++) { gsub("\"", "", $i); at[$i] = i } next }
	n >= 1 && n < 3 {
		print $at["np2pdem"], $at["np2pmsm"], $at["ncolldem"], $at["ncollmsm"],
			$at["bytes"], $at["carried"], $at["left"], $at["bpts"],
			$at["helper"], $at["slices"],
			($at["ltdh_ns"] > 0) ($at["ltch_ns"] > 0) ($at["ltrh_ns"] > 0) }
	{ n += $at["ncollmsm"] }' "$out/rows" >"$out/counts"

# The send alone, and it waits; the receive, and two slices with its rest; one process in
# the barrier, and both; likewise in the reduction.
cat >"$out/right" <<'END'
1 0 0 0 0 0 1 1 1 1 000
1 1 0 0 100000 1 0 2 1 1 100
0 0 0 0 100000 1 0 2 1 1 100
0 0 0 0 50000 0 0 2 1 1 100
0 0 0 0 0 0 0 1 1 1 000
0 0 1 1 0 0 0 2 1 1 010
0 0 0 0 0 0 0 1 1 1 000
0 0 1 1 0 0 0 2 1 1 001
END
diff "$out/right" "$out/counts" >&9 || fail "not what the calls make"

# Times of a slice: its parts are within it, and it within what all nodes took.
awk -F , '
	NR == 1 { for (i = 1; i <= NF; i++) { gsub("\"", "", $i); at[$i] = i } next }
	{ parts = 0
	  for (name in at)
		if (name ~ /^lt(sr|dem|msm|get|p2p|bbm|rm)_ns$/) parts += $at[name]
	  wrong = parts > $at["ltts_ns"] + 4 || $at["ltts_ns"] > $at["gtts_ns"] ||
		$at["ltdem_ns"] > $at["gtdem_ns"] || $at["ltmsm_ns"] > $at["gtmsm_ns"] ||
		$at["ltsr_ns"] == 0 || $at["ltdem_ns"] == 0 || $at["ltmsm_ns"] == 0 ||
		$at["ltget_ns"] > 0 || $at["late_ns"] >= 1e9 ||
		$at["usrsts"] + $at["usrdem"] + $at["usrmsm"] > 0 ||
		$at["ltdh_ns"] > 2 * $at["ltp2p_ns"] + 4 || $at["ltch_ns"] > 2 * $at["ltbbm_ns"] + 4 }
	wrong { print "wrong times: " $0; exit }' "$out/rows" >"$out/wrong"
[ ! -s "$out/wrong" ] || fail "$(cat "$out/wrong")"

# What it may move is told.
"$bcs" slices "$(the_record)" | grep -q "budget  *97.7 KiB a slice" ||
	fail "the budget: $("$bcs" slices "$(the_record)" | head -5)"

# The trace knows the slices, too: the receive waits for one, of 5 ms, and goes on after it.
"$bcs" report --section=waits --json "$(the_record)" | python3 -c '
import json, sys
times = {row["state"]: row["max_ns"] for row in json.load(sys.stdin)["runs"][0]["wait_sites"]
         if row["call"] == "MPI_Recv"}
assert times.get("wait for a slice", 0) <= 5e6, times
# On a busy machine, any part of it may be a wait for a core.
assert sum(times.get(name, 0) for name in
           ("wait for a slice", "wait in slices", "wait for a core")) > 5e6, times' || fail "waits for slices"

# On two nodes each counts what its processes do.
forget
BCS_NODE_SIZE=1 observed 2 "$1" >"$out/stdout"
for rank in 0 1; do
	"$bcs" slices --csv --rank=$rank "$(the_record)" | awk -F , '
		NR == 1 { for (i = 1; i <= NF; i++) { gsub("\"", "", $i); at[$i] = i } next }
		n >= 1 && n < 3 { np2pmsm += $at["np2pmsm"]; bytes += $at["bytes"]
			calls += $at["ncolldem"]; left += $at["left"] }
		{ n += $at["ncollmsm"] }
		END { print np2pmsm + 0, bytes + 0, calls + 0, left + 0 }'
done >"$out/counts"
printf '0 0 2 0\n1 250000 2 1\n' | diff - "$out/counts" >&9 || fail "two nodes"
