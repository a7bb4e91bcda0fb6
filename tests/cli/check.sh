#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: check.sh
# `bcs check` on records made by hand: what is found, in which order, what is
# suppressed, and how it ends.
. "$BCS_SOURCE/tests/cli/record.sh"

findings="finding call path count communicator peer tag text other other_path detail"

# rank RANK: reads the rows of its findings.
rank() {
	{
		begin "$1" 2
		printf '1 0 0 1300\n2 0 0 1400\n' |
			table paths "path level module offset_hex"
		echo "0 /opt/my%20app/solve %" |
			table modules "module file build_id"
		printf '0 44 MPI_COMM_WORLD 2 0 1 1 1 0 0\n1 45 halo 2 0 1 1 1 0 0\n' |
			table communicators "$communicators"
		table findings "$findings"
		end
	} >"job.bcs/rank-00000$1.gz"
}

mkdir job.bcs
rank 0 <<-END
	group-not-freed MPI_Comm_group 1 2 % % % % % 0 %
	request-not-completed MPI_Irecv 2 1 1 1 7 % % 0 %
	collective-mismatch MPI_Bcast 1 1 1 % % mismatched%20collectives:%20call%203%20on%20a%20communicator%20of%202:%20rank%200%20in%20MPI_Bcast;%20rank%201%20in%20MPI_Barrier % 0 %
	type-mismatch MPI_Recv 1 1 1 1 7 % 1 2 MPI_INT%20of%20the%20sender
	of-a-later-version MPI_Send 0 1 % % % % % 0 %
END
rank 1 <<-END
	group-not-freed MPI_Comm_group 1 1 % % % % % 0 %
	request-not-completed MPI_Irecv 2 1 1 0 7 % % 0 %
	message-not-received % 0 1 1 0 7 % 0 1 %
	message-not-received % 0 1 1 0 8 % 0 99 %
	collective-mismatch MPI_Barrier 2 1 1 % % mismatched%20collectives:%20call%203%20on%20a%20communicator%20of%202:%20rank%201%20in%20MPI_Barrier;%20rank%200%20in%20MPI_Bcast % 0 %
	truncation MPI_Recv 2 1 % % % MPI_Recv%20failed 0 1 20%20bytes
	deadlock % 0 1 % % % ranks%200-1%20wait % 0 %
	buffer-not-detached MPI_Buffer_attach 2 1 % % % % % 0 %
END

rc=0
"$bcs" check job.bcs >text || rc=$?
[ "$rc" -eq 1 ] || fail "status $rc"
diff - text <<-END || fail "another text"
	error: rank 1: ranks 0-1 wait [deadlock]
	    Change the order of the calls, or let one side not block.
	error: ranks 0-1: mismatched collectives: call 3 on a communicator of 2: rank 0 in MPI_Bcast; rank 1 in MPI_Barrier, at solve+0x1300 [collective-mismatch]
	    Let all ranks of a communicator make the same collective calls in one order, with sizes that fit.
	error: rank 1: MPI_Recv failed: 20 bytes, at solve+0x1400; sent by rank 0 at solve+0x1300 [truncation]
	    Give the receive room for the longest message.
	error: rank 0: 1 message of MPI_Recv from rank 1, tag 7, on halo, received as another datatype than it was sent: MPI_INT of the sender, at solve+0x1300; sent by rank 1 at solve+0x1400 [type-mismatch]
	    Give both ends of a message the same datatype.
	error: rank 1: 1 message from rank 0, tag 8, on halo, never received; sent by rank 0 [message-not-received]
	    Receive each message that is sent.
	error: rank 1: 1 message from rank 0, tag 7, on halo, never received, sent by rank 0 at solve+0x1300 [message-not-received]
	    Receive each message that is sent.
	error: ranks 0-1: 2 requests of MPI_Irecv, tag 7, on halo, never completed, at solve+0x1400 [request-not-completed]
	    Complete it by a call such as MPI_Wait before MPI_Finalize.
	warning: ranks 0-1: 3 groups of MPI_Comm_group never freed, at solve+0x1300 [group-not-freed]
	    Call MPI_Group_free, also for groups that MPI_Comm_group gave.
	warning: rank 0: 1 finding of MPI_Send of a kind that this version does not know [of-a-later-version]
	    See the documentation of the version that made the record.
	note: rank 1: 1 buffer of MPI_Buffer_attach never detached, at solve+0x1400 [buffer-not-detached]
	    Call MPI_Buffer_detach.
	7 errors, 2 warnings, 1 note
END

# The newest record of the folder, and the report's section.
rc=0
"$bcs" check | diff text - || fail "another text without DIR"
"$bcs" report --section=findings job.bcs | grep -q '3 groups' ||
	fail "not in the report"

# A command that is missing is none, though there is a record.
fails 2 "which command is to be run? such as: bcs check -- mpiexec" "$bcs" check --
fails 2 "which command is to be run?" "$bcs" check --json --

cat >known <<-END
	# what we know of
	group-*  solve+0x1300   # the library's
	deadlock
	request-not-completed /another/file.c
	*-not-detached
END
rc=0
"$bcs" check --suppress=known job.bcs >text || rc=$?
[ "$rc" -eq 1 ] || fail "status $rc with suppressions"
tail -n 1 text | grep -qx '6 errors, 1 warning, 3 suppressed' ||
	fail "suppressed: $(tail -n 1 text)"
printf '*\n*later*' >>known
fails 2 "known:7: there is no finding '*later*'" \
	"$bcs" check --suppress=known job.bcs
printf '*' >known
"$bcs" check --suppress=known job.bcs | tail -n 1 |
	grep -qx 'nothing was found, 10 suppressed' || fail "all suppressed"

"$bcs" check --json --sarif=sarif --suppress=known job.bcs >json ||
	fail "status with all suppressed"
python3 - json sarif <<-END || fail "no JSON"
	import json, sys
	runs = json.load(open(sys.argv[1]))["runs"]
	found = runs[0]["findings"]
	assert [f["finding"] for f in found][:4] == [
	    "deadlock", "collective-mismatch", "truncation", "type-mismatch"], found
	assert found[6]["ranks"] == [0, 1] and found[6]["tag"] == "7"
	assert found[3]["sender"] == 1, found[3]
	assert found[3]["sender_site"] == "solve+0x1400", found[3]
	assert all(f["suppressed"] for f in found)
	run = json.load(open(sys.argv[2]))["runs"][0]
	rules = run["tool"]["driver"]["rules"]
	for result in run["results"]:
	    index = result.get("ruleIndex")
	    assert index is None or rules[index]["id"] == result["ruleId"]
	    assert result["suppressions"] and result["message"]["text"]
	assert len(run["results"]) == 10
	for i in 1, 3:
	    assert run["results"][i]["relatedLocations"][0]["logicalLocations"]
END
python3 "$BCS_SOURCE/tests/cli/sarif_check.py" sarif || fail "no SARIF 2.1.0"

# A record of nothing, and an older one.
mkdir empty.bcs old.bcs
mv job.bcs/rank-000000.gz keep
{
	begin 0 1
	table findings "$findings" </dev/null
	end
} >empty.bcs/rank-000000.gz
{
	begin 0 1
	end
} >old.bcs/rank-000000.gz
"$bcs" check empty.bcs old.bcs | grep -qx 'nothing was found' ||
	fail "found in nothing"

# A rank that did not come to its end.
{
	begin 0 1 reason "signal%2011"
	end
} >old.bcs/rank-000000.gz
"$bcs" check old.bcs 2>err >/dev/null || fail "status of a killed rank"
grep -q '^bcs check: rank 0 did not come' err || fail "no warning"

fails 2 "nosuch: there is no such record (a command goes after --)" \
	"$bcs" check nosuch
fails 2 "nosuch: command not found" "$bcs" check -- nosuch
fails 2 "known2: " "$bcs" check --suppress=known2 empty.bcs
fails 2 "cannot write to /nosuch/sarif" \
	"$bcs" check --sarif=/nosuch/sarif empty.bcs
fails 2 "no record appeared" "$bcs" check -- true

# docs/findings.md has a section for each, and for nothing else.
sed -n 's/^### `\(.*\)`$/\1/p' "$BCS_SOURCE/docs/findings.md" | sort >in-docs
"$bcs" check --sarif=sarif empty.bcs >/dev/null
python3 -c 'import json
for rule in json.load(open("sarif"))["runs"][0]["tool"]["driver"]["rules"]:
    print(rule["id"])' | sort >known-rules
diff known-rules in-docs || fail "known (<), in docs/findings.md (>)"
