#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: errors.sh
# What cannot be done is said in one line, and the exit status is 2; what can be
# done in spite of it is done.
. "$BCS_SOURCE/tests/cli/record.sh"
. "$BCS_SOURCE/tests/cli/solve.sh"

solve_record solve.42.bcs
mkdir empty.bcs

fails 2 "which verb? begin with: bcs run" "$bcs"
fails 2 "'frob'" "$bcs" frob
fails 2 "'frob'" "$bcs" help frob
fails 2 "--frob" "$bcs" report --frob
fails 2 "did you mean 'report'? (see bcs --help)" "$bcs" reprot
fails 2 "did you mean 'slices'?" "$bcs" help slice
fails 2 "did you mean 'eval'?" "$bcs" model evla
fails 2 "not unique: did you mean '--json'?" "$bcs" report --jsn=1
fails 2 "did you mean '--help'?" "$bcs" slices --hepl
fails 2 "there is no option --xyzzy, or it is not unique (see" \
	"$bcs" report --xyzzy
fails 2 "-x" "$bcs" report -x
fails 2 "--width=3" "$bcs" report --width=3
fails 2 "--width" "$bcs" report --width
fails 2 "--json=yes" "$bcs" report --json=yes
fails 2 "--top=-1" "$bcs" report --top=-1
fails 2 "--sort=age" "$bcs" report --sort=age
fails 2 "--color=red" "$bcs" report --color=red
fails 2 "--rank=x" "$bcs" report --rank=x solve.42.bcs
fails 2 "--rank=3-1" "$bcs" report --rank=3-1 solve.42.bcs
fails 2 "--csv or --json, not both" "$bcs" report --csv --json solve.42.bcs
fails 2 "--section=sites,age" "$bcs" report --section=sites,age solve.42.bcs
fails 2 "one --section" "$bcs" report --csv --section=sites,run solve.42.bcs
fails 2 "none.bcs: No such file" "$bcs" report none.bcs
fails 2 "takes one operand" "$bcs" hang
fails 2 "none.bcs: no such folder" "$bcs" hang none.bcs
fails 2 "no process of this machine writes it" "$bcs" hang empty.bcs
fails 2 "is no rank under bcs" "$bcs" hang $$
fails 2 "--csv or --json, not both" "$bcs" hang --csv --json empty.bcs
fails 2 "empty.bcs: has no record file" "$bcs" report empty.bcs
fails 2 "of these ranks" "$bcs" report --rank=7 solve.42.bcs
fails 2 "not packed by gzip" "$bcs" report "$BCS_SOURCE/meson.build"
fails 2 "standard output" sh -c '"$1" report solve.42.bcs >/dev/full' - "$bcs"
fails 2 "standard output" sh -c '"$1" --help >/dev/full' - "$bcs"
cd empty.bcs || exit
fails 2 "which record" "$bcs" report
cd .. || exit

# A reader who has seen enough is no error.
"$bcs" report --top=0 solve.42.bcs | head -n 1 >/dev/null
sh -c 'trap "" PIPE; "$1" report solve.42.bcs 2>pipe; echo $? >rc' - "$bcs" |
	head -c 0
[ "$(cat rc)" -eq 0 ] || fail "status $(cat rc) when the reader left"
[ ! -s pipe ] || fail "not silent when the reader left: $(cat pipe)"

# warns TEXT FILE: with this file in the folder too, that is said, and the
# report of the three ranks is what it would be without.
"$bcs" report --csv --section=account solve.42.bcs >good.csv
warns() {
	cp "$2" solve.42.bcs
	"$bcs" report --csv --section=account solve.42.bcs >now.csv 2>stderr ||
		fail "status $? with $2"
	rm "solve.42.bcs/$(basename "$2")"
	[ "$(wc -l <stderr)" -eq 1 ] || {
		cat stderr >&2
		fail "not one warning with $2"
	}
	grep -qF -- "$1" stderr || {
		cat stderr >&2
		fail "no '$1' in the warning with $2"
	}
	cmp -s good.csv now.csv || fail "$2 was counted"
}

echo "this is no record" >rank-000009.gz
warns "not packed by gzip; left out" rank-000009.gz
: >a-first.gz
warns "a-first.gz: is empty; left out" a-first.gz
solve_rank 1 1 1 >rank-000008.gz
warns "rank 1 is in another file too; left out" rank-000008.gz
{ begin 0 2 && end; } >another-size.gz
warns "another-size.gz: of another run; left out" another-size.gz
{ begin 0 3 start_ns 1800000000000000000 && end; } >another-time.gz
warns "another-time.gz: of another run; left out" another-time.gz
{ begin 7 3 && end; } >impossible.gz
warns "rank 7 of 3 cannot be; left out" impossible.gz
{ printf 'format 1\n' | table record "key value" && end; } >no-process.gz
warns "no table of its process; left out" no-process.gz

# Of a file that was cut off what is there counts, and that is said.
head -c 1500 solve.42.bcs/rank-000002.gz >short
cp short solve.42.bcs/rank-000002.gz
"$bcs" report --section=notes solve.42.bcs >stdout 2>stderr
grep -q "cut off" stderr || fail "nothing was said of a file that is cut off"
grep -q "record of rank 2 is cut off" stdout || fail "no note of it"

# Wherever it was cut off, that is one line.
cp -r solve.42.bcs at.bcs
for size in 0 5 30 60 100 200 300 400 700 1000 1300; do
	head -c $size short >at.bcs/rank-000002.gz
	fails 0 "rank-000002.gz: " "$bcs" report at.bcs
done

# Many bad files are not many lines.
mkdir many.bcs
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
	echo no >many.bcs/rank-$i.gz
done
fails 2 "none of the other 12 files" "$bcs" report many.bcs
cp solve.42.bcs/rank-000000.gz many.bcs
"$bcs" report many.bcs >stdout 2>stderr || fail "status $? with one good file"
[ "$(wc -l <stderr)" -eq 11 ] || fail "$(wc -l <stderr) lines of warnings"
grep -q "3 more warnings" stderr || fail "the other warnings are not counted"

# Numbers that are too large stay large.
max=18446744073709551615
{
	begin 0 3 wall_ns $max resolution $max cores $max local_ranks $max
	echo "0 $max $max $max $max $max $max" | table threads "$threads"
	echo "0 0 MPI_Send $max $max $max $max $max $max $max $max $max" \
		"$max $max" | table cells "$cells"
	printf 'time 0 1 %s %s\nsize 0 %s %s %s\n' $max $max $max $max $max |
		table histogram "$histogram"
	echo "0 $max $max $max $max $max $max" | table peers "$peers"
	echo "0 MPI_Send $max $max % any any $max" | table now "$now"
	end
} >large.gz
mkdir large.bcs
cp large.gz large.bcs/rank-000000.gz
solve_rank 1 9000000000000000000 1 >large.bcs/rank-000001.gz
for format in --ranks --matrix --json --paths --percent; do
	"$bcs" report $format large.bcs >stdout || fail "status $? of $format"
done
"$bcs" report --csv --section=account large.bcs |
	grep -q "\"computation\".*,$max," ||
	fail "a sum that is too large did not stay at the greatest number"
