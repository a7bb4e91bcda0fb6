# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# What a recorded application calls decides what is measured, and where it matters.
# shellcheck disable=SC2034,SC2154 # of tune.sh

weights= # a file with lines COLLECTIVE BYTES CALLS; empty: no record was given

# of_record SECTION COLLECTIVE: rows of the report of the record.
of_record() {
	"$bcs" report --csv --top=0 --section="$1" --primitive="MPI_$(echo "$2" |
		awk '{ print toupper(substr($0, 1, 1)) substr($0, 2) }')" "$record" |
		sed 1d
}

# calls COLLECTIVE: lines COLLECTIVE BYTES CALLS.  The record has what a call moves in
# all; where each process has a block for each other, the bytes are those of a block.
calls() {
	if [ "$1" = barrier ]; then
		of_record primitives barrier | awk -F , '{ print "barrier 0", $5 }'
		return
	fi
	of_record sizes "$1" | awk -F , -v of="$1" -v ranks="$recorded" '
	BEGIN {
		blocks = of ~ /^(allgather|alltoall|reduce_scatter)/ ? ranks : 1
	}
	$1 >= blocks { print of, int($1 / blocks), $3 }'
}

# weigh: $parts are those that the record calls; without --ranks, $ranks is its own.
weigh() {
	rows=$("$bcs" report --csv --top=0 --section=ranks "$record" 2>"$tmp/said") ||
		wrong "--weight: $(sed -n '$s/^bcs report: //p' "$tmp/said")"
	sed 's/^bcs report: /tune: --weight: /' "$tmp/said" >&2
	recorded=$(echo "$rows" | sed 1d | wc -l)
	[ "$recorded" -ge 2 ] || wrong "--weight takes a record of 2 ranks or more: $record"
	for part in $parts; do
		calls "$part"
	done >"$tmp/weights"
	[ -s "$tmp/weights" ] || wrong "$record calls none of $parts"
	weights=$tmp/weights
	parts=$(cut -d ' ' -f 1 "$weights" | uniq)
	[ -n "$ranks" ] || ranks=$recorded
}

# sizes COLLECTIVE: bytes to measure it with.
sizes() {
	if [ -n "$weights" ]; then
		awk -v of="$1" '$1 == of { print $2 }' "$weights"
	elif [ "$1" = barrier ]; then
		echo 0
	else
		echo "$bytes"
	fi
}

# show_weighted: what the calls of the record take with the file and without it.  The record
# counts a collective at each of its ranks.
show_weighted() {
	[ -n "$weights" ] || return 0
	echo
	awk -v record="$record" -v recorded="$recorded" '
	FILENAME == ARGV[1] { calls[$1, $2] += $3 / recorded; next }
	{
		before[$1] += calls[$2, $3] * $5
		after[$1] += calls[$2, $3] * $6
	}
	END {
		for (n in before)
			printf "the calls of %s, with %d ranks: %.3f ms by " \
				"default, %.3f ms with the file, ratio %.3f\n",
				record, n, before[n] / 1000, after[n] / 1000,
				after[n] / before[n]
	}' "$weights" "$tmp/gains"
}
