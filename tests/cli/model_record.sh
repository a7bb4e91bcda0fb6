#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: model_record.sh
# A record made by hand given to `bcs model fit`: which times it takes.
. "$BCS_SOURCE/tests/cli/record.sh"

# file RANK [KEY VALUE]...: rows of cells are read from stdin.
file() {
	mkdir -p a.bcs
	rank=$1
	shift
	{
		begin "$rank" 4 local_ranks 4 "$@"
		table cells "$cells"
		echo "0 1 MPI_COMM_WORLD 4 $rank 1 9 0 0 0" |
			table communicators "$communicators"
		end
	} >"a.bcs/rank-00000$rank.gz"
}

cat >rows <<'END'
0 0 MPI_Send 0 0 9 900000 7000 200000 0 0 0 140000 140000
1 0 MPI_Send 1 0 9 900000 6000 200000 0 0 0 140000 140000
2 0 MPI_Send 0 1 9 900000 5 200000 0 0 0 131072 131072
3 0 MPI_Send 0 2 9 900000 5 200000 0 0 0 140000 140001
4 0 MPI_Ssend 0 0 9 900000 800 200000 0 0 0 64 64
5 0 MPI_Recv 0 0 9 900000 5 200000 0 0 0 140000 140000
6 0 MPI_Barrier 0 0 9 900000 4000 200000 0 0 0 0 0
7 0 MPI_Alltoall 0 0 9 900000 9000 200000 0 0 0 400 400
8 0 MPI_Bcast 0 0 9 900000 5 200000 0 0 0 400 400
9 0 MPI_File_write_at 0 0 10 900000 5 200000 0 0 0 4096 4096
10 0 MPI_File_write 0 0 20 2100000 5 200000 0 0 0 4096 4096
END
file 0 <rows
sed '7s/4000/3000/; 8s/ 9000 / 9500 /' rows | file 1

cat >expected <<'END'
alltoall,100,4,9
barrier,,4,3
p2p,140000,,6
p2p,64,,0.8
write,4096,,100
END
points() {
	for operation in p2p bcast scatter gather alltoall barrier read write; do
		"$bcs" model fit --operation=$operation --export=extrap-json "$@" ||
			true
	done | awk -F '[{}:, "]+' '{
		bytes = processes = ""
		for (i = 1; i < NF; i++) {
			if ($i == "bytes") bytes = $(i + 1)
			if ($i == "processes") processes = $(i + 1)
			if ($i == "callpath") name = $(i + 1)
			if ($i == "value") value = $(i + 1)
		}
		print name "," bytes "," processes "," value
	}' | sort
}
points a.bcs >said 2>warned || fail "status $?"
diff -u expected said || fail "other points"
grep -q "several sizes, left out: 2$" warned || fail "it does not say what it left"

# Beside measurements of something else.
echo "operation,bytes,time" >p2p.csv
echo "p2p,1000000,50" >>p2p.csv
points p2p.csv a.bcs 2>/dev/null | grep -c p2p | grep -qx 3 || fail "not both"

# Messages within a node and between nodes are not told apart.
file 0 local_ranks 2 <rows
file 1 local_ranks 2 <rows
points a.bcs 2>warned | grep p2p && fail "p2p of two networks"
grep -q "p2p is left out" warned || fail "it does not say so"

grep Bcast rows >few
rm -r a.bcs
file 0 <few
fails 2 "a.bcs: has no calls whose times" "$bcs" model fit a.bcs
sed -n '7s/4000/0/p' rows | file 0
fails 2 "a.bcs: has no calls whose times" "$bcs" model fit a.bcs
head -c 40 a.bcs/rank-000000.gz >cut.gz
fails 2 "cut.gz: " "$bcs" model fit cut.gz
mkdir empty
fails 2 "empty: no file of a record" "$bcs" model fit empty
