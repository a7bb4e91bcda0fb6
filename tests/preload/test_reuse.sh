#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_reuse.sh USED_AGAIN MODE...
# With BCS_ADVISE it is found where a program first uses its buffers again, and what it
# computed until then.  The program's answers stay as they are, whatever uses them.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

bcs=$BCS_BUILD/analyzer/bcs

# alike CASE PROGRAM: its answers are those that it gives without us.
alike() {
	native 2 "$2" "$1" </dev/null | sort >"$out/native"
	observed 2 "$2" "$1" </dev/null | sort >"$out/observed"
	diff "$out/native" "$out/observed" || fail "$BCS_MODE, $1: other answers"
}

# crashes_alike PROGRAM: each handler of its crash is called once.
crashes_alike() {
	forget
	# mpiexec of MPICH 4.2 may lose the status.
	status observed 2 "$1" chain </dev/null >"$out/chain" 2>/dev/null
	reason=$(value "$(the_record)/rank-000001.gz" reason)
	[ "$reason" = "signal%2011" ] || fail "$BCS_MODE: ended by $reason"
	[ "$(grep -c '^handled$' "$out/chain")" = 1 ] || fail "$BCS_MODE: $(head "$out/chain")"
}

# used_at CALL FUNCTION TEXT: the line of the program that has it first, of its function.
used_at() {
	line=$(grep -nF "$3" "$BCS_SOURCE/tests/programs/used_again.c" | head -n 1 |
		cut -d : -f 1)
	echo "$1 $2 used_again.c:$line"
}

# finds RECORD: the buffers are used where they are, 2 or 3 ms of computation later.
finds() {
	"$bcs" advise --json "$1" >"$out/json"
	python3 - "$out/json" >"$out/found" <<-'END' || fail "$BCS_MODE: $(cat "$out/json")"
		import json, sys
		least = {"MPI_Recv": 2, "MPI_Allreduce": 3}
		for row in sorted(json.load(open(sys.argv[1]))["advice"], key=lambda r: r["call"]):
		    if row["call"] not in least:
		        continue
		    # 9 of each 20 calls.  Of two receives in a row one may be given up for the other.
		    assert row["looked_at"] >= 9, row
		    assert row["reused_after_ns"] >= least[row["call"]] * 1000000, row
		    assert row["reused_at"] in row["what"], row
		    print(row["call"], row["reused_at"])
	END
	diff "$out/expected" "$out/found" || fail "$BCS_MODE: $(cat "$out/json")"
	table "$1/rank-000000.gz" reuses "call use at_call count computation_ns" |
		awk '$1 ~ /MPI_(Send|Bcast)/ && $2 == "sent" && $3 == "%" && $4 > 3 &&
			$5 / $4 > 2e6 { n++ }
			END { exit n != 2 }' || fail "$BCS_MODE: $(zcat "$1/rank-000000.gz")"
}

{
	used_at MPI_Allreduce read_sum 'memcpy(copy, sum'
	used_at MPI_Recv read_received 'total += in[i]'
} >"$out/expected"

program=$1
shift
export BCS_ADVISE=on
for BCS_MODE; do
	export BCS_MODE
	forget
	alike steps "$program"
	finds "$(the_record)"
	alike kernel "$program"
	alike signals "$program"
	crashes_alike "$program"
done

# Between nodes a thread of ours is in MPI, too, and MPI has another thread level.
for BCS_MODE; do
	[ "$BCS_MODE" != observe ] || continue
	export BCS_MODE BCS_NODE_SIZE=1
	forget
	alike steps "$program"
	finds "$(the_record)"
	alike kernel "$program"
done
