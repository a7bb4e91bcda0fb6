#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: ends.sh
# What `bcs report` says of a process whose record was saved before its end: that it
# runs, that it is gone, or that neither is known; and that a deadlock ended it.
. "$BCS_SOURCE/tests/cli/record.sh"

# started PID: when it began, as the kernel has it.
started() {
	sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f 20
}

# saved RANK SIZE [KEY VALUE]...: the file of a rank of this shell, as it runs.
saved() {
	rank=$1
	{
		begin "$@" reason saved
		end
	} >"job.bcs/rank-00000$rank.gz"
}

# ends_as TEXT: what the report says.
ends_as() {
	"$bcs" report --width=200 --section=run job.bcs >shown
	grep -q "Ended  *$1" shown || fail "not '$1': $(cat shown)"
}

mine="host $(uname -n) pid $$ started $(started $$)"
sleep 0 &
gone=$!
wait "$gone"
mkdir job.bcs
# shellcheck disable=SC2086 # words
{
	saved 0 1 $mine
	ends_as "not yet: it still runs"
	saved 0 1 $mine pid "$gone"
	ends_as "killed: no process of it is left"
	# Another process has got its pid.
	saved 0 1 $mine started 1
	ends_as "killed: no process of it is left"
	: >job.bcs/rank-000000.failed
	ends_as "unknown: the end could not be written"
	rm job.bcs/rank-000000.failed

	# An older record does not tell; nor is another machine looked at.
	saved 0 1 $mine started 0
	ends_as "unknown: killed or still running"
	saved 0 1 $mine pid "$gone" host another
	ends_as "unknown: killed or still running"
	saved 0 1 $mine pid 99999999999
	ends_as "unknown: killed or still running"

	# Ranks with different ends.
	saved 0 3 $mine
	saved 1 3 $mine pid "$gone"
	saved 2 3 $mine host another
	saved=" (record saved before): 1 rank"
	ends_as "unknown$saved; still running$saved; killed$saved"
}
"$bcs" report --json --section=ranks job.bcs >json
[ "$(sed -n 's/.*"reason": "\([a-z]*\)".*/\1/p' json | xargs)" = "running gone saved" ] ||
	fail "$(cat json)"
"$bcs" html -o page.html job.bcs >said 2>&1 || fail "$(cat said)"
grep -q "killed (record saved before)" page.html || fail "not in the page"
"$bcs" diff job.bcs job.bcs >differs
grep -q "killed (record saved before) on rank 1" differs || fail "$(cat differs)"

# A rank ended the job for a deadlock, and had asked the others for their records.
# ended RANK REASON
ended() {
	{
		begin "$1" 3 reason "$2"
		end
	} >"job.bcs/rank-00000$1.gz"
}
ended 0 deadlock
ended 1 request
ended 2 finalize
ends_as "ended for a deadlock: 2 ranks; MPI_Finalize: 1 rank"
ended 2 request
ends_as "ended for a deadlock (BCS_DEADLOCK=abort)"
