#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_bcs_emds.sh BCS_COLL
# A program that calls bcs.h has a record of its slices, with the bytes that it moved.  On
# demand it has a file for each process, in slices one for each node.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs
coll=$1
export BCS_EMDS=on BCS_OUT="$records"

# of COLUMN: its sum over all rows.
of() {
	"$bcs" slices --csv "$(the_record)" | awk -F , -v name="\"$1\"" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
		{ sum += $at }
		END { print at ? sum + 0 : "no column " name }'
}

# is WHAT EXPECTED GOT
is() {
	[ "$2" = "$3" ] || fail "$1: $3 instead of $2"
}

# run WHAT FILES ARGUMENTS...: two processes, each of which sends 10 bytes and 300000.
run() {
	what=$1
	files=$2
	shift 2
	forget
	native 2 "$coll" "$@" >"$out/said"
	is "$what: right ones" 2 "$(grep -c right "$out/said")"
	is "$what: files" "$files" "$(cd "$(the_record)" && echo *)"
	is "$what: messages scheduled" 4 "$(of np2pmsm)"
	is "$what: bytes" 600020 "$(of bytes)"
}

both="rank-000000.slices rank-000001.slices"
run "slices, one node" rank-000000.slices 300 alike
# Each process sends, receives and probes twice.
is "slices, one node: descriptors of messages" 12 "$(of np2pdem)"
is "slices, one node: collectives called" 7 "$(of ncolldem)"
is "slices, one node: collectives" 7 "$(of ncollmsm)"
is "slices, one node: the helper's" "$(of slices)" "$(of helper)"

export BCS_NODE_SIZE=1
run "slices, two nodes" "$both" 300 alike
is "slices, two nodes: collectives called" 14 "$(of ncolldem)"
is "slices, two nodes: collectives" 14 "$(of ncollmsm)"
# Only the Strobe Sender knows it.
[ "$(of gtts_ns)" -gt 0 ] || fail "no global time of a slice"
unset BCS_NODE_SIZE

# On demand collectives send messages, too, whose bytes count.
on_demand() {
	forget
	native 2 "$coll" 0 alike >"$out/said"
	is "$1: right ones" 2 "$(grep -c right "$out/said")"
	is "$1: files" "$both" "$(cd "$(the_record)" && echo *)"
	is "$1: messages scheduled" 4 "$(of np2pmsm)"
	[ "$(of ncollmsm)" -gt 0 ] || fail "$1: no collective"
	[ "$(of bytes)" -ge 600020 ] || fail "$1: $(of bytes) bytes"
}

on_demand "on demand, one node"
BCS_NODE_SIZE=1 on_demand "on demand, two nodes"

# Collectives go by nodes: as if all were on one node they would take 57 descriptors.
forget
BCS_NODE_SIZE=2 native 4 "$coll" 0 alike >"$out/said"
is "by nodes: right ones" 4 "$(grep -c right "$out/said")"
is "by nodes: descriptors of collectives" 51 "$(of ncolldem)"

# Files of some processes only, and no file if nobody asks.
forget
BCS_RANKS=1 native 2 "$coll" 0 alike >"$out/said"
is "files of process 1" rank-000001.slices "$(cd "$(the_record)" && echo *)"
forget
BCS_EMDS=off native 2 "$coll" 300 alike >"$out/said"
is "files without BCS_EMDS" "" "$(ls "$records")"

# The caller gets an error for a setting that is not allowed.
cp "$coll" "$out/bcs_coll"
trap 'end_left; rm -rf "$out"' EXIT
for bad in BCS_EMDS=some BCS_OUT=/proc/none BCS_EMDS_SLICES=9-1; do
	status env "$bad" timeout -k 5 "$limit" mpiexec.mpich -n 2 \
		"$out/bcs_coll" 300 alike >"$out/said" 2>&1 9>&-
	[ "$rc" -ne 0 ] || fail "$bad was taken: $(cat "$out/said")"
done
