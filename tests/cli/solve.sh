# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
#
# The record of a made-up run of three ranks, solve.42.bcs: rank 1 computes
# longer than the others, who wait for it.  . record.sh first.

# solve_rank RANK COMPUTATION COMMUNICATION BASE: BASE stands for where the
# loader put the program, which must not matter.  $solve_facts: keys and values of the
# process that are others than usual.
solve_rank() {
	left=$((($1 + 2) % 3)) right=$((($1 + 1) % 3))
	# shellcheck disable=SC2086 # several words
	begin "$1" 3 ${solve_facts-}
	echo "UCX_RCACHE_ENABLE=n%20was%20set" | table notes text
	echo "0 $2 $3 $(($3 / 2)) $(($3 / 4)) 0 2106" | table threads "$threads"
	table cells "$cells" <<-END
		0 0 MPI_Init 0 0 1 300000000 300000000 300000000 0 0 0 0 0
		1 0 MPI_Send 1 1 1000 $(($3 / 10)) 500 90000 0 8192000 0 8192 8192
		2 0 MPI_Recv 1 2 1000 $(($3 / 2)) 700 2000000 $(($3 / 3)) 0 8192000 8192 8192
		3 0 MPI_Allreduce 2 3 100 $(($3 * 4 / 10)) 9000 30000000 0 800 800 8 8
		4 0 MPI_Comm_rank 0 4 4 400 100 100 0 0 0 0 0
		5 0 MPI_Finalize 0 0 1 2000000 2000000 2000000 0 0 0 0 0
	END
	table histogram "$histogram" <<-END
		time 1 480 511 300
		time 1 512 575 600
		time 1 81920 90111 100
		time 2 640 703 900
		time 2 1835008 2097151 100
		time 3 8192 9215 50
		time 3 29360128 31457279 50
		size 1 8192 9215 1000
		size 2 8192 9215 1000
		size 3 8 8 100
		computation 0 0 0 4
		computation 0 7340032 8388607 2100
		communication 0 480 511 1000
		communication 0 1835008 2097151 1100
	END
	table phases "phase name count time_ns" <<-END
		0 % 0 1000000000
		1 exchange%20halo 100 6000000000
		2 norm 100 3000000000
	END
	table paths "path level module offset_hex" <<-END
		1 0 1 1a2b
		1 1 0 1234
		1 2 0 2000
		2 0 0 1300
		2 1 0 2000
		3 0 0 1400
		4 0 % 7ffff0$1
	END
	table modules "module file build_id" <<-END
		0 /opt/solve/bin/solve 0011223344556677
		1 /usr/lib/libmpich.so.12 %
	END
	table communicators "$communicators" <<-END
		0 44000000 MPI_COMM_WORLD 3 $1 1 1100 $(($3 * 9 / 10)) 8192800 800
		1 84000001 halo 3 $1 7 1000 $(($3 / 10)) 8192000 8192000
		2 1000000$1 MPI_COMM_SELF 1 0 1 4 400 0 0
	END
	table peers "$peers" <<-END
		0 $right 1000 8192000 0 0 $(($3 / 10))
		1 $left 0 0 1000 8192000 $(($3 / 2))
	END
	end
}

solve_record() {
	mkdir -p "$1"
	solve_rank 0 6000000000 4000000000 >"$1/rank-000000.gz"
	solve_rank 1 9000000000 1000000000 >"$1/rank-000001.gz"
	solve_rank 2 5500000000 4500000000 >"$1/rank-000002.gz"
}
