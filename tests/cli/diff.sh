#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: diff.sh GOLDEN CC SOURCE [--update]
# `bcs diff` of made-up runs: what it says, what it compares, how it ends.
. "$BCS_SOURCE/tests/cli/record.sh"

golden=$1 cc=$2 source=$3
failed=0
update=${4-}

# same NAME ARGUMENT...: what `bcs diff` says is what NAME holds.
same() {
	name=$1
	shift
	"$bcs" diff "$@" >"$name" 2>&1 || fail "status $?: bcs diff $*"
	if [ "$update" = --update ]; then
		cp "$name" "$golden/$name"
	fi
	diff -u "$golden/$name" "$name" || failed=1
}

# The calls of a rank, which take $1 ms, one way or the other.
blocking() {
	table cells "$cells" <<-END
		0 0 MPI_Init 0 0 1 300000000 300000000 300000000 0 0 0 0 0
		1 0 MPI_Send 0 1 1000 $(($1 * 300000)) 500 90000 0 8000 0 8 8
		2 0 MPI_Recv 0 2 1000 $(($1 * 500000)) 500 90000 0 0 8000 8 8
		3 0 MPI_Allreduce 0 3 100 $(($1 * 200000)) 500 90000 0 800 800 8 8
	END
}

non_blocking() {
	table cells "$cells" <<-END
		0 0 MPI_Init 0 0 1 300000000 300000000 300000000 0 0 0 0 0
		1 0 MPI_Isend 0 1 1000 $(($1 * 10000)) 500 90000 0 8000 0 8 8
		2 0 MPI_Irecv 0 2 1000 $(($1 * 20000)) 500 90000 0 0 8000 8 8
		3 0 MPI_Waitall 0 4 1000 $(($1 * 770000)) 500 90000 0 0 8000 8 8
		4 0 MPI_Allreduce 0 3 100 $(($1 * 200000)) 500 90000 0 800 800 8 8
	END
}

# Half of the sends block yet, and half of the sums.
mixed() {
	table cells "$cells" <<-END
		0 0 MPI_Init 0 0 1 300000000 300000000 300000000 0 0 0 0 0
		1 0 MPI_Send 0 1 500 $(($1 * 150000)) 500 90000 0 8000 0 8 8
		2 0 MPI_Isend_c 0 1 500 $(($1 * 5000)) 500 90000 0 8000 0 8 8
		3 0 MPI_Irecv 0 2 1000 $(($1 * 20000)) 500 90000 0 0 8000 8 8
		4 0 MPI_Waitall 0 4 1000 $(($1 * 625000)) 500 90000 0 0 8000 8 8
		5 0 MPI_Allreduce 0 3 50 $(($1 * 100000)) 500 90000 0 800 800 8 8
		6 0 MPI_Iallreduce 0 3 50 $(($1 * 100000)) 500 90000 0 800 800 8 8
	END
}

# made NAME CALLS MS SIZE [KEY VALUE]...: a run that computes for 6 s and
# communicates for so long, its second rank for 1 ms more.
made() {
	name=$1 calls=$2 ms=$3 size=$4
	shift 4
	mkdir -p "$name"
	rank=0
	while [ "$rank" -lt "$size" ]; do
		in_mpi=$((ms + (rank == 1)))
		{
			begin $rank "$size" wall_ns $(((6000 + in_mpi) * 1000000)) \
				polite off "$@"
			echo "0 6000000000 $((in_mpi * 1000000))" \
				"$((in_mpi * 400000)) 0 0 2101" |
				table threads "$threads"
			$calls $in_mpi
			table paths "path level module offset_hex" <<-END
				1 0 0 1a2b
				2 0 0 1300
				3 0 0 1400
				4 0 0 1500
			END
			echo "0 /opt/solve/bin/solve ${id-0011223344556677}" |
				table modules "module file build_id"
			end
		} >"$name/rank-00000$rank.gz"
		rank=$((rank + 1))
	done
}

for i in 1 2 3 4; do
	made fast$i.bcs blocking $((4000 + 7 * i)) 2
	made slow$i.bcs blocking $((5000 + 11 * i)) 2
	made near$i.bcs blocking $((3991 + 11 * i)) 2
	made async$i.bcs non_blocking $((3000 + 13 * i)) 2
	made slices$i.bcs blocking $((2000 + 17 * i)) 2 mode demand
done
made mixed.bcs mixed 3500 2
cp -r fast1.bcs twin.bcs
made three.bcs blocking 4000 3
made refused.bcs blocking 1 2 status 2
made killed.bcs blocking 1 2 reason "signal%2011"
fast="fast1.bcs fast2.bcs fast3.bcs fast4.bcs"
slow="slow1.bcs slow2.bcs slow3.bcs slow4.bcs"
near="near1.bcs near2.bcs near3.bcs near4.bcs"
async="async1.bcs async2.bcs async3.bcs async4.bcs"
slices="slices1.bcs slices2.bcs slices3.bcs slices4.bcs"

# shellcheck disable=SC2086
{
	same diff-equal.txt fast1.bcs twin.bcs/
	same diff-slower.txt $fast : $slow
	same diff-failed.txt --section=runs,notes refused.bcs : fast1.bcs \
		refused.bcs killed.bcs
	same diff-wide.txt --width=120 --section=primitives,sites,ranks --top=3 \
		$fast : $slow
	same diff-noise.txt --section=wall,account $fast : $near
	same diff-async.txt --section=notes,summary,primitives $fast : $async
	same diff-sync.txt --section=summary $async : $fast
	same diff-mixed.txt --section=summary fast1.bcs mixed.bcs
	same diff-rest.txt --section=summary mixed.bcs async1.bcs
	same diff-modes.txt --section=runs,summary $fast : $slices
	same diff-native.txt --section=summary $slices : $fast
	same diff-sizes.txt fast1.bcs three.bcs
	same diff-few.txt --section=wall,notes,account \
		fast1.bcs fast2.bcs fast3.bcs : slow1.bcs slow2.bcs slow3.bcs
	same diff-slower.json --json $fast : $slow
	same diff-async.csv --csv $fast : $async
	same diff-wall.csv --csv --section=wall $fast : $slow
}
"$bcs" diff --json fast1.bcs three.bcs >one.json
for document in diff-slower.json one.json; do
	python3 - "$document" <<-'END' || fail "bad JSON: $document"
		import json, sys
		with open(sys.argv[1], encoding="utf-8") as file:
		    diff = json.load(file)["diff"]
		assert list(diff) == ["runs", "wall", "notes", "summary", "efficiencies",
		                      "account", "primitives", "sites", "ranks"]
		computation = {"A": [], "B": []}
		for run in diff["runs"]:
		    computation[run["group"]].append(run["computation_ns"])
		middle = {group: sorted(all)[len(all) // 2]
		          for group, all in computation.items()}
		numbers = {row["efficiency"]: row for row in diff["efficiencies"]}
		scaling = 100 * middle["A"] / middle["B"]
		assert numbers["computation_scaling"]["a_percent"] == 100, numbers
		assert abs(numbers["computation_scaling"]["b_percent"] - scaling) < 0.01
		parallel = numbers["parallel"]["b_percent"]
		assert abs(numbers["global"]["b_percent"] -
		           scaling * parallel / 100) < 0.01, numbers
		for row in diff["primitives"]:
		    assert row["difference_ns"] == row["b_ns"] - row["a_ns"]
	END
done

# The same offset in another build of a program is another place;
id=8899aabbccddeeff made built.bcs blocking 4007 2
"$bcs" diff --csv --section=sites fast1.bcs built.bcs >sites.csv
[ "$(grep -c "only in A" sites.csv)" -eq 3 ] ||
	fail "call sites of another build are the same"

# so are all of another program, which is told of,
made other.bcs blocking 4007 2 program another
"$bcs" diff --section=notes fast1.bcs : fast2.bcs other.bcs |
	grep -q "The runs of B are not all of one program" ||
	fail "another program is not told of"
"$bcs" diff --section=notes fast1.bcs other.bcs |
	grep -q "not all of one program" && fail "two programs are compared on purpose"
"$bcs" diff --section=notes fast1.bcs fast2.bcs |
	grep -q "not all of one program" && fail "one program is two"

# with names it is the same one, wherever the compiler put it, and also where
# lines were added above it.
named() {
	mkdir -p "$1" "$1.bcs"
	{
		yes "" | head -n "$4"
		cat "$source"
	} >"$1/sites.c"
	# shellcheck disable=SC2086 # options
	$cc -D_GNU_SOURCE $2 -g -Wl,--build-id -fno-optimize-sibling-calls \
		-o "$1/prog" "$1/sites.c"
	{
		begin 0 1
		echo "0 1000 1000 0 0 0 2" | table threads "$threads"
		{
			echo "0 0 MPI_Send 0 1 1 $3 600 600 0 0 0 0 0"
			echo "${5-1 0 MPI_Recv 0 2 1 300 300 300 0 0 0 0 0}"
			echo "9 0 MPI_Recv 0 2 1 300 300 300 0 0 0 0 0"
		} | table cells "$cells"
		"$1/prog" | table paths "path level module offset_hex"
		echo "0 $out/$1/prog $(readelf -n "$1/prog" |
			sed -n 's/.*Build ID: //p')" |
			table modules "module file build_id"
		end
	} >"$1.bcs/rank-000000.gz"
}
named before -O2 600 0
named after "-O1 -falign-functions=256" 700 0
named later "-O1 -falign-functions=256" 800 5
"before/prog" >before.txt
! "after/prog" | cmp -s before.txt - || fail "two builds are the same"
"$bcs" diff --csv --section=sites before.bcs after.bcs >sites.csv
grep -q '"exchange sites.c:[0-9]*","MPI_Send",.*,600,700,100,' sites.csv || {
	cat sites.csv >&2
	fail "a call site of another build is another"
}
! grep -q "only in" sites.csv || fail "call sites of another build are others"
"$bcs" diff --csv --section=sites before.bcs later.bcs >sites.csv
line=$(grep -n "/\* inner \*/" "$source" | cut -d: -f1)
moved="\"exchange sites.c:$((line + 5))\",\"MPI_Send\""
grep -q "$moved,\"exchange sites.c:$line\",600,800,200," sites.csv || {
	cat sites.csv >&2
	fail "a call site at another line is another"
}
[ "$(wc -l <sites.csv)" -eq 3 ] || fail "a call site that moved is there twice"
"$bcs" diff --section=sites before.bcs later.bcs |
	grep -q "2 of these places were at another line in A" ||
	fail "nothing is told of call sites that moved"
# Of one more nobody knows which is which.
sed 's/call(path + 1);.*/call(path + 1);\n\tcall(path + 2);/' "$source" >twice.c
source=twice.c
named more -O1 900 3 "2 0 MPI_Recv 0 3 1 300 300 300 0 0 0 0 0"
"$bcs" diff --csv --section=sites after.bcs more.bcs >sites.csv
[ "$(grep -c '"MPI_Recv".*only in' sites.csv)" -eq 3 ] || {
	cat sites.csv >&2
	fail "a place was matched with one of two"
}

# --fail-over: longer than that and no noise.
ends() {
	expected=$1
	shift
	rc=0
	"$bcs" diff "$@" >stdout 2>stderr || rc=$?
	[ "$rc" -eq "$expected" ] || fail "status $rc, not $expected: $*"
}
# shellcheck disable=SC2086
{
	ends 0 $fast : $slow
	fails 1 "longer by more than 5 %: +10.1 %, slower, p = 0.029" \
		"$bcs" diff --fail-over 5% $fast : $slow
	fails 1 "longer by more than 9.5 %" "$bcs" diff --fail-over=9.5 --json \
		$fast : $slow
	ends 0 --fail-over 10.5% $fast : $slow
	[ ! -s stderr ] || fail "not silent below the limit"
	ends 0 --fail-over 5% $slow : $fast
	ends 0 --fail-over 0 $fast : $near
	fails 1 "one run each" "$bcs" diff --fail-over 5 fast1.bcs slow1.bcs
	ends 0 --fail-over 0 fast1.bcs twin.bcs
	ends 0 --fail-over 11% fast1.bcs slow1.bcs
	for limit in x 5x -1 inf 5%% 1.2.3 % "" 1e3; do
		fails 2 "--fail-over=$limit" "$bcs" diff "--fail-over=$limit" \
			fast1.bcs slow1.bcs
	done
}

# What cannot be compared.
fails 2 "two runs, or two groups" "$bcs" diff
fails 2 "two runs, or two groups" "$bcs" diff fast1.bcs
fails 2 "two runs, or two groups" "$bcs" diff fast1.bcs fast2.bcs fast3.bcs
fails 2 "two runs, or two groups" "$bcs" diff : fast1.bcs
fails 2 "two runs, or two groups" "$bcs" diff fast1.bcs :
fails 2 "two runs, or two groups" "$bcs" diff fast1.bcs : fast2.bcs : slow1.bcs
fails 2 "none.bcs: No such file" "$bcs" diff fast1.bcs none.bcs
fails 2 "same group twice" "$bcs" diff fast1.bcs fast2.bcs fast1.bcs/ : slow1.bcs
"$bcs" diff fast1.bcs fast1.bcs >/dev/null
fails 2 "not packed by gzip" "$bcs" diff "$BCS_SOURCE/meson.build" fast1.bcs
fails 2 "--section=age" "$bcs" diff --section=age fast1.bcs slow1.bcs
fails 2 "one --section" "$bcs" diff --csv --section=wall,runs fast1.bcs slow1.bcs
fails 2 "standard output" sh -c '"$1" diff fast1.bcs slow1.bcs >/dev/full' - \
	"$bcs"

# What is wrong with a record is told.
cp -r slow1.bcs cut.bcs
head -c 600 slow1.bcs/rank-000001.gz >cut.bcs/rank-000001.gz
"$bcs" diff --section=notes fast1.bcs cut.bcs >stdout 2>stderr ||
	fail "status $? of a record that is cut off"
grep -q "cut off" stderr || fail "no warning of a file that is cut off"
grep -q "cut.bcs: the record of 1 of 2 ranks is cut off" stdout ||
	fail "no note of a file that is cut off"
rm cut.bcs/rank-000001.gz
"$bcs" diff --section=notes,ranks fast1.bcs cut.bcs >stdout 2>stderr
grep -q "cut.bcs: 1 of 2 ranks left no record" stdout ||
	fail "no note of a rank that is missing"
grep -q "^ *0 *computing" stdout || fail "rank 0 is not compared"
! grep -q "^ *1 *computing" stdout || fail "a rank that is missing is compared"

# Records that a program writes, of many cells; a run is as long as itself.
"$BCS_BUILD"/tests/cli/synth_record many.bcs 40 60
"$bcs" diff --csv --section=sites many.bcs many.bcs >sites.csv
"$bcs" report --csv --section=sites many.bcs >report.csv
[ "$(wc -l <sites.csv)" -eq "$(wc -l <report.csv)" ] || fail "sites are missing"
[ "$(cut -d, -f6 sites.csv | sort -u | tr '\n' ' ')" = '"difference_ns" 0 ' ] ||
	fail "a run differs from itself"

# Numbers that are too large stay large.
max=18446744073709551615
mkdir large.bcs
for rank in 0 1; do
	{
		begin $rank 2 wall_ns $max
		echo "0 $max $max $max $max $max $max" |
			table threads "$threads"
		echo "0 0 MPI_Send 0 0 $max $max $max $max $max $max $max $max" \
			"$max" | table cells "$cells"
		end
	} >large.bcs/rank-00000$rank.gz
done
"$bcs" diff --csv fast1.bcs large.bcs |
	grep -q "\"MPI_Send\",2404500000,$max,.*,2000,$max\$" ||
	fail "a sum that is too large did not stay at the greatest number"

# measured US...: a launch for each, of two points; the second always takes 5 us.
measured() {
	echo collective,processes,bytes,algorithm,segment,seconds,library,choice,launch
	for us; do
		echo "bcast,2,8,mpi,0,${us}e-6,mpich 4.0.2,default,$us"
		echo "put,2,64,fence,0,5e-6,mpich 4.0.2,default,$us"
	done
}
{
	measured 10 11 12 13 14
	echo "scan,2,8,mpi,0,1e-6,mpich 4.0.2,default,1"
} >a.csv
measured 20 21 22 23 24 >b.csv
measured 20 >c.csv
"$bcs" diff a.csv b.csv >said || fail "status $?: diff of measurements"
for line in "bcast mpi 2 8 12.000 22.000 +83.3 slower 0.008" \
	"put fence 2 64 5.000 5.000 +0.0 in the noise 1.000" "scan mpi 2 8 1.000 - - only in A"; do
	tr -s ' ' <said | grep -qF -- "$line" || fail "not said: $line: $(cat said)"
done
"$bcs" diff --csv a.csv b.csv | grep -q '^"bcast","mpi",2,8,12000,22000,83.3.*,"slower",0.0079.*,5,5$' ||
	fail "CSV: $("$bcs" diff --csv a.csv b.csv)"
"$bcs" diff --json a.csv b.csv | python3 -m json.tool >shown || fail "no JSON"
"$bcs" diff a.csv c.csv | tr -s ' ' | grep -q "bcast.*too few launches" || fail "tested by one"
"$bcs" diff c.csv : b.csv c.csv | tr -s ' ' | grep -q "bcast.*too few launches" || fail "groups"
fails 1 "slower in B by more than 50 %" "$bcs" diff --fail-over=50% a.csv b.csv
"$bcs" diff --fail-over=90% a.csv b.csv >said || fail "not slower by 90 %"
"$bcs" diff --fail-over=1% b.csv a.csv >said || fail "faster fails"
echo nonsense >bad.csv
fails 2 "bad.csv: line 1: 'nonsense' is no column" "$bcs" diff a.csv bad.csv
fails 2 "none.csv: No such file" "$bcs" diff a.csv none.csv
echo "bcast,2,x,mpi,0,1e-6,mpich,default,1" | cat a.csv - >bad.csv
fails 2 "bad.csv: line 13: 'x' cannot be bytes" "$bcs" diff a.csv bad.csv
# Launches of files that were joined are others; pieces of an algorithm are, too; and
# libraries are compared.
cat a.csv a.csv >twice.csv
"$bcs" diff --csv twice.csv b.csv | grep -q '^"bcast","mpi",2,8,12000,22000,.*,10,5$' ||
	fail "joined: $("$bcs" diff --csv twice.csv b.csv)"
sed 's/mpi,0/mpi,1024/; s/mpich 4.0.2/openmpi 4.1.4/' b.csv >pieces.csv
"$bcs" diff --csv a.csv pieces.csv | cut -d , -f 1-4,12- | tr '\n' ' ' >said
grep -q '"bcast","mpi",2,8,5,0 .*"bcast","mpi:1024",2,8,0,5 ' said ||
	fail "pieces: $(cat said)"
grep -q '"put","fence",2,64,5,5 ' said || fail "libraries: $(cat said)"
[ "$failed" -eq 0 ]
