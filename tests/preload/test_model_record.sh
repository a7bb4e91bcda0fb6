#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_model_record.sh PROGRAM
# A record (programs/sized.c) given to `bcs model fit`: the points are of the sizes that
# the program has, without those whose times are not an operation's.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

program=$1
bcs=$BCS_BUILD/analyzer/bcs

# points RECORD: operation, processes and bytes of all.
points() {
	for operation in p2p bcast scatter gather alltoall barrier read write; do
		"$bcs" model fit --operation=$operation --export=extrap-json "$1" ||
			true
	done 2>"$out/said" |
		sed -n 's/.*"params": {\(.*\)}, "callpath": "\([a-z0-9]*\)".*/\2 \1/p' |
		tr -d '":,' | sort >"$out/points"
}

for mode in observe demand; do
	forget
	BCS_MODE=$mode observed 2 "$program"
	points "$(the_record)"
	diff -u - "$out/points" <<-END || fail "mode $mode"
	alltoall bytes 24 processes 2
	alltoall bytes 4000 processes 2
	barrier processes 2
	p2p bytes 1048576
	p2p bytes 262144
	p2p bytes 512
	END
	grep -q 'several sizes, left out: 1$' "$out/said" || fail "it left out more"
	"$bcs" model fit --operation=p2p --save="$out/here.system" \
		"$(the_record)" >/dev/null 2>&1 || fail "no fit"
	"$bcs" model eval --csv --system="$out/here.system" p2p 100000 |
		grep -qE ',[0-9.]+,"us"' || fail "no time of 100000 bytes"
done

# A file of it is as good; cells do not tell a collective's communicator.
points "$(the_record)/rank-000001.gz"
cut -d ' ' -f 1 "$out/points" | tr '\n' ' ' | grep -q '^alltoall alltoall barrier $' ||
	fail "of rank 1: $(cat "$out/points")"
forget
observed 2 "$program" other
points "$(the_record)"
cut -d ' ' -f 1 "$out/points" | sort -u | diff - /dev/fd/3 3<<-END || fail "comms"
	p2p
END
grep -q 'collectives are left out' "$out/said" || fail "it does not say why"
