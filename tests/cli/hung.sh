# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
#
# The record of a made-up job that hung and was asked for its records,
# hung.7.bcs: rank 4 left none, and of rank 2 only the beginning is there.
# . record.sh first.

hung_rank() {
	rank=$1
	shift
	begin "$rank" 5 program hung arguments hung reason request polite off \
		local_ranks 5 dropped_calls 3 cut_calls 2 "$@"
}

hung_paths() {
	table paths "path level module offset_hex" <<-END
		1 0 0 77
		2 0 0 88
	END
	echo "0 /opt/hung%20jobs/hung %" | table modules "module file build_id"
	table communicators "$communicators" <<-END
		0 44000000 MPI_COMM_WORLD 5 0 1 5 500 0 0
		1 77 ring 4 0 1 0 0 0 0
	END
}

hung_record() {
	mkdir -p "$1"
	# Waits for a message that never comes, and a second thread for another.
	{
		hung_rank 0
		table threads "$threads" <<-END
			0 4000000000 5000000000 4900000000 0 1000000000 10
			1 1 2 0 0 0 1
		END
		table cells "$cells" <<-END
			0 0 MPI_Recv 0 1 9 5000000000 100 2000000000 0 0 72 8 8
		END
		hung_paths
		table now "$now" <<-END
			0 MPI_Recv 1 43100000000 % 2 7 0
			1 MPI_Probe 2 1000 % any any 1
		END
		end
	} >"$1/rank-000000.gz"
	{
		hung_rank 1
		echo "0 5000000000 5000000000 0 0 0 11" |
			table threads "$threads"
		table cells "$cells" <<-END
			0 0 MPI_Waitall 0 2 9 5000000000 9 2000000000 0 0 0 0 0
		END
		hung_paths
		table now "$now" <<-END
			0 MPI_Waitall 2 41000000000 receive 0 3 0
			0 MPI_Waitall 2 41000000000 send any any 1
		END
		end
	} >"$1/rank-000001.gz"
	{
		hung_rank 2
		echo "0 7000000000 3000000000 0 0 0 11" |
			table threads "$threads"
	} >"$1/rank-000002.gz"
	{
		hung_rank 3 reason signal%2015
		echo "0 7000000000 3000000000 0 0 0 11" |
			table threads "$threads"
		hung_paths
		table now "$now" <<-END
			0 MPI_Barrier 2 40000000000 % % % 0
			1 MPI_Bcast 2 39000000000 % 2 any 1
		END
		end
	} >"$1/rank-000003.gz"
}
