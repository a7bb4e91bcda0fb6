#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: golden.sh GOLDEN [--update]
# Compares what `bcs report` says of made-up records with what it ought to.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"
. "$BCS_SOURCE/tests/cli/hung.sh"

golden=$1
failed=0
update=${2-}

# same NAME OPTION...: the report of the records is what NAME holds.
same() {
	name=$1
	shift
	"$bcs" report "$@" >"$name" 2>&1 || fail "status $?: bcs report $*"
	if [ "$update" = --update ]; then
		cp "$name" "$golden/$name"
	fi
	diff -u "$golden/$name" "$name" || failed=1
}

# Processes that never had a rank in a world.
sessions_record() {
	mkdir sessions.9.bcs
	for process in 1 2; do
		{
			begin none none pid $process local_ranks 1
			echo "0 7000000000 3000000000 0 0 0 11" |
				table threads "$threads"
			echo "0 0 MPI_Waitall 0 0 9 3000000000 1 9 0 0 0 0 0" |
				table cells "$cells"
			end
		} >sessions.9.bcs/proc-node1-$process.gz
	done
}

# Ranks that ended with a status: two of four with the same.
failed_record() {
	mkdir failed.3.bcs
	for rank in 0 1 2 3; do
		case $rank in
		0) begin 0 4 status 1 ;;
		1) begin 1 4 status 0 reason exit ;;
		2) begin 2 4 ;;
		3) begin 3 4 status 1 ;;
		esac >failed.3.bcs/rank-00000$rank.gz
		end >>failed.3.bcs/rank-00000$rank.gz
	done
	mkdir refused.4.bcs
	{
		begin 0 1 status 3
		end
	} >refused.4.bcs/rank-000000.gz
}

# known_rank NAME RANK HOST COMPUTATION WHOLE_PATH PHASE_COMPUTATION PHASE_PATH: of 4, all
# of which ran for 10 s, 6 s of them in a phase.
known_rank() {
	mkdir -p "$1"
	{
		begin "$2" 4 host "$3" mode demand
		echo "0 $4 $((10000000000 - $4)) 0 0 0 1 $5" |
			table threads "$threads path_ns"
		printf '0 %% 1 4000000000 %s %s %s\n1 solve 1 6000000000 %s %s %s\n' \
			$(($4 - $6)) $((4000000000 - $4 + $6)) $(($5 - $7)) \
			"$6" $((6000000000 - $6)) "$7" |
			table phases "phase name count time_ns computation_ns communication_ns path_ns"
		end
	} >"$1/rank-00000$2.gz"
}

# Load balance 6/8, of it 7/8 in nodes and 6/7 between; serialisation 8/9, transfer 9/10.
known_record() {
	known_rank known.5.bcs 0 node1 8000000000 9000000000 4500000000 5500000000
	known_rank known.5.bcs 1 node1 6000000000 8500000000 4500000000 5500000000
	known_rank known.5.bcs 2 node2 5000000000 8000000000 1500000000 5000000000
	known_rank known.5.bcs 3 node2 5000000000 8000000000 1500000000 5000000000
	# A clock ahead of the run, and another behind the computation.
	known_rank odd.5.bcs 0 node1 8000000000 11000000000 5000000000 1000000000
}

failed_record
known_record
solve_record solve.42.bcs
hung_record hung.7.bcs
sessions_record

same solve.txt solve.42.bcs
same solve-wide.txt --width=160 --ranks --matrix --paths --top=0 solve.42.bcs
same solve-narrow.txt --width=60 solve.42.bcs
same solve-some.txt --rank=1-2 --primitive='MPI_[SR]*' --sort=name --percent \
	solve.42.bcs
same solve-color.txt --color=always --section=account,sizes solve.42.bcs
same solve-distributions.txt --section=distributions --top=3 solve.42.bcs
same solve.json --json solve.42.bcs
same solve-primitives.csv --csv solve.42.bcs
same solve-matrix.csv --csv --section=matrix solve.42.bcs
same two-ranks.csv --csv --section=ranks --top=2 solve.42.bcs hung.7.bcs
same hung.txt --ranks hung.7.bcs/
same hung.json --json --section=run,now,notes,threads hung.7.bcs

# What a process left that was killed: alone, and beside what it saved.
mkdir killed.11.bcs
cp "$BCS_SOURCE/tests/fuzz/corpus/flight/waits" killed.11.bcs/rank-000001.flight
same killed.txt --section=run,now,tail,notes killed.11.bcs
same killed.json --json --section=run,now,tail killed.11.bcs

same sessions.txt --ranks sessions.9.bcs
same sessions.csv --csv --section=ranks sessions.9.bcs

same failed.txt --section=run,notes failed.3.bcs refused.4.bcs
same failed.csv --csv --section=ranks failed.3.bcs

same known.txt --section=efficiencies --reference=solve.42.bcs known.5.bcs
same known.json --json --section=efficiencies --reference=solve.42.bcs known.5.bcs
same known-some.txt --section=efficiencies --rank=0-1 known.5.bcs
same known-odd.txt --section=efficiencies --rank=0 odd.5.bcs

# What is not given is the newest record here, and that is told.
touch -d 2020-01-01 killed.11.bcs solve.42.bcs sessions.9.bcs failed.3.bcs refused.4.bcs \
	known.5.bcs odd.5.bcs
same hung.txt --ranks
[ "$failed" -eq 0 ]
