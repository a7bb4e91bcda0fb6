#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tree.sh GOLDEN CC [--update]
# `bcs tree` on made-up measurements: its tables, and that whatever it writes for
# others decides as the measurements do, which awk judges.
. "$BCS_SOURCE/tests/cli/record.sh"

golden=$1
cc=$2
update=${3-}
failed=0

# 24 numbers of processes, 16 of bytes; some are not measured of one algorithm.
awk 'BEGIN {
	print "collective,processes,bytes,algorithm,segment,seconds"
	for (p = 2; p < 26; p++)
		for (b = 1; b <= 4194304; b *= 2.6) {
			s = int(b); log2 = 0
			while (2 ^ log2 < p)
				log2++
			wave = 1 + .2 * sin(p * 3 + s)
			row("binomial", 0, log2 * (2 + s / 1000))
			row("linear", 0, (p - 1) * (1 + s / 900) * wave)
			if (p % 3 == 1)
				continue
			pieces = s < 8192 ? s / 8192 : p - 2 + s / 8192
			row("pipeline", 8192, (p - 1) * 3 + pieces * 10.7)
			row("scatter_ring_allgather", 0, p * 2 + s / 520)
		}
}
function row(algorithm, segment, us) {
	printf "bcast,%d,%d,%s,%d,%.6e\n", p, s, algorithm, segment, us * 1e-6
}' >times.csv

# of LIBRARY: the times, measured of that.
of() {
	sed "1s/\$/,library/; 2,\$s/\$/,$1/" times.csv >"of-$1.csv"
}
of mpich
of openmpi
of bcs

# same NAME OPTION...
same() {
	name=$1
	shift
	"$bcs" tree "$@" >"$name" 2>&1 || fail "status $?: bcs tree $*"
	if [ "$update" = --update ]; then
		cp "$name" "$golden/$name"
	fi
	diff -u "$golden/$name" "$name" || failed=1
}

same tree.txt times.csv
same tree-accuracy.txt --accuracy=70% --leaf=frequent --shape=free times.csv
same tree.json --depth=2 --json times.csv
same tree.csv --depth=2 --csv times.csv
same tree-c.txt --depth=2 --emit=c times.csv
same tree-saved.txt --depth=2 --emit=tree of-bcs.csv
same tree-openmpi.txt --depth=2 --emit=openmpi of-openmpi.csv

# A saved tree is written as the tree would have been; stdin is a file, too.
"$bcs" tree --emit=c tree-saved.txt | cmp - tree-c.txt || failed=1
"$bcs" tree --emit=tree - <tree-saved.txt >again.txt
cmp again.txt tree-saved.txt || failed=1

# The best of each point where all were measured, by the measurements alone.
awk -F , 'NR > 1 && $2 % 3 != 1 {
	key = $2 " " $3
	gsub("_", "-", $4)
	if (!(key in least) || $6 < least[key]) {
		least[key] = $6
		best[key] = $4 " " $5
	}
}
END { for (key in best) print key, best[key] }' times.csv | sort >best
[ "$(wc -l <best)" -gt 200 ] || fail "$(wc -l <best) points"
cut -d ' ' -f 1,2 best >points

# decide FILE.c: what the function in it says of each point.
cat >ask.c <<-END
	#include <stdio.h>
	int main(void)
	{
		unsigned p;
		unsigned long long b;
		while (scanf("%u %llu", &p, &b) == 2)
			printf("%u %llu %s %llu\n", p, b,
			       bcs_bcast_methods[bcs_bcast_choose(p, b)].algorithm,
			       bcs_bcast_methods[bcs_bcast_choose(p, b)].segment);
		return 0;
	}
END
decide() {
	$cc -c -std=c99 -pedantic -Wall -Wextra -Wmissing-prototypes -Wshadow \
		-Werror -o emitted.o "$1" || fail "$1 does not compile"
	cat "$1" ask.c >whole.c
	$cc -o whole whole.c || fail "no program of $1"
	./whole
}

for option in --exact --shape=free --leaf=frequent --depth=10; do
	"$bcs" tree $option --emit=c times.csv >exact.c
	decide exact.c <points | diff best - >/dev/null ||
		fail "$option: not as measured"
done
# Beyond what was measured it is as at the edge.
printf '1 0\n2 1\n25 4194304\n99999 999999999999\n' >edge
decide exact.c <edge | awk '{ print $3, $4 }' >edges
[ "$(sed -n '1p' edges)" = "$(sed -n '2p' edges)" ] || fail "below the least"
[ "$(sed -n '3p' edges)" = "$(sed -n '4p' edges)" ] || fail "above the most"

# The saved tree, read by awk; all sizes around its bounds, too.
awk 'BEGIN { for (p = 1; p < 30; p++) for (b = 1; b < 9e6; b = int(b * 1.3) + 1)
	print p, b }' >many
for depth in 0 1 2 3; do
	"$bcs" tree --depth=$depth --emit=tree of-bcs.csv >depth.tree
	"$bcs" tree --depth=$depth --emit=c times.csv >depth.c
	decide depth.c <many >by-c
	awk '
	$1 == "method" { method[n++] = $2 " " $3 }
	$1 == "bytes" { for (i = 2; i <= NF; i++) from[i] = $i; columns = NF }
	$1 == "row" { least[++rows] = $2
		for (i = 3; i <= NF; i++) cell[rows, i - 1] = $i }
	FILENAME == "many" {
		for (r = rows; least[r] > $1; r--) ;
		for (c = columns; from[c] > $2; c--) ;
		print $1, $2, method[cell[r, c]]
	}' depth.tree many | cmp - by-c || fail "depth $depth: C and tree differ"
done

# Open MPI ignores a file whose blocks do not begin with 0 bytes.
"$bcs" tree --emit=openmpi of-openmpi.csv >all.rules 2>stderr
sed 's/#.*//' all.rules | tr -s ' \n' ' \n' | tr ' ' '\n' | grep . | awk '
function wrong(why) { print "value " NR ": " why; bad = 1; exit 1 }
!/^[0-9]+$/ { wrong("no number") }
NR == 1 && $1 != 1 { wrong("not one collective") }
NR == 2 && $1 != 7 { wrong("no broadcast") }
NR == 3 { blocks = $1; state = "size"; next }
NR < 3 { next }
state == "size" { if ($1 <= size) wrong("sizes do not ascend"); size = $1
	state = "rules"; next }
state == "rules" { rules = $1; column = 0; bytes = -1; state = "rule"; next }
column == 0 && ($1 <= bytes || (bytes < 0 && $1 != 0)) { wrong("bytes") }
column == 0 { bytes = $1 }
column == 1 && ($1 < 1 || $1 > 9) { wrong("algorithm") }
++column == 4 { column = 0; if (!--rules) { blocks--; state = "size" } }
END { if (!bad && (blocks || state != "size")) wrong("it is cut off") }' ||
	failed=1

# MPICH wants all of its collectives, and a length that no page ends with.
"$bcs" tree --emit=mpich of-mpich.csv >all.json 2>stderr
[ "$(wc -l <stderr)" -eq 2 ] || fail "two methods are not MPICH's: $(cat stderr)"
[ "$(grep -c '^"collective=' all.json)" -eq 44 ] || fail "not 44 collectives"
[ $(($(wc -c <all.json) % 4096)) -ne 0 ] || fail "it fills its pages"
# Each aborts with the other's name of a barrier.
"$bcs" tree --emit=mpich-4.0 of-mpich.csv 2>stderr | grep -c intra_dissemination >old
"$bcs" tree --emit=mpich-4.1 of-mpich.csv 2>stderr | grep -c intra_dissemination >new ||
	:
[ "$(cat old) $(cat new)" = "1 0" ] || fail "names of barriers: $(cat old new)"
grep -q linear all.json && grep -q '"avg_msg_size<=.*linear' all.json &&
	fail "MPICH has no linear broadcast"

"$bcs" tree --svg=map times.csv >map.svg
[ "$(grep -c '<rect' map.svg)" -ge $((24 * 16 + 4)) ] || fail "no map"
"$bcs" tree --svg=penalty --depth=1 times.csv >penalty.svg
drawn map.svg
drawn penalty.svg
sed -n '/<g/,/<\/g>/p' penalty.svg | grep -q '#d11' || fail "no point costs much"
"$bcs" tree --svg=penalty times.csv | sed -n '/<g/,/<\/g>/p' |
	grep -q '#d11' && fail "the exact tree costs something"

# The legend of the paper's 35 methods is within the picture, which is no higher than
# it was where there are few.
awk 'BEGIN {
	print "collective,processes,bytes,algorithm,segment,seconds"
	for (p = 2; p < 10; p++)
		for (m = 0; m < 35; m++)
			printf "bcast,%d,1,method_%d,0,%d\n", p, m, m % p + 1
}' >methods.csv
"$bcs" tree --svg=map methods.csv >methods.svg
drawn methods.svg
[ "$(grep -c '>method-' methods.svg)" -eq 35 ] || fail "not 35 methods in the legend"
# height FILE
height() {
	sed -n '1s/.* height="\([0-9]*\)".*/\1/p' "$1"
}
sed -n 's/^<text .* y="\([0-9.]*\)".*/\1/p' methods.svg |
	awk -v height="$(height methods.svg)" '$1 > height - 4 { exit 1 }' ||
	fail "the legend is cut off at $(height methods.svg)"
[ "$(height map.svg)" -eq 490 ] || fail "height $(height map.svg), not 490"

# The exact tree is as deep as any and costs nothing; it is on both curves.
"$bcs" tree --svg=accuracy times.csv >accuracy.svg
"$bcs" tree --svg=limits times.csv >limits.svg
drawn accuracy.svg
drawn limits.svg
[ "$(grep -c '<circle' accuracy.svg)" -eq 40 ] || fail "not 20 trees twice"
[ "$(grep -c '<circle cx="670.0" cy="\(40\|590\).0"' accuracy.svg)" -eq 2 ] ||
	fail "the exact tree is at another place"
[ "$(grep -c '<circle' limits.svg)" -eq 31 ] || fail "not 20 trees and 11"
for color in 036 c60; do
	grep -q "cx=\"670.0\" cy=\"280.0\" .*#$color" limits.svg ||
		fail "the exact tree is not on a curve"
done

# What cannot be done.
head=collective,processes,bytes,algorithm,segment,seconds
bad() {
	what=$1
	shift
	printf '%s\n' "$head" "$@" >bad.csv
	fails 2 "$what" "$bcs" tree bad.csv
}
fails 2 "one FILE" "$bcs" tree
fails 2 "none.csv: No such file" "$bcs" tree none.csv
fails 2 "is a folder" "$bcs" tree .
fails 2 "line 1" "$bcs" tree map.svg
fails 2 "--depth=11" "$bcs" tree --depth=11 times.csv
fails 2 "--accuracy=101" "$bcs" tree --accuracy=101 times.csv
fails 2 "--emit=fortran" "$bcs" tree --emit=fortran times.csv
fails 2 "--svg=limits is of all accuracies" \
	"$bcs" tree --svg=limits --accuracy=50 times.csv
fails 2 "--svg or --emit, not both" "$bcs" tree --emit=c --svg=map times.csv
fails 2 "--emit or --csv, not both" "$bcs" tree --emit=c --csv times.csv
fails 2 "--svg or --json, not both" "$bcs" tree --svg=map --json times.csv
fails 2 "--csv or --json, not both" "$bcs" tree --csv --json times.csv
for option in --emit=c --svg=map --csv --json; do
	fails 2 "--width or ${option%=*}, not both" "$bcs" tree --width=90 $option times.csv
done
for option in --depth=1 --accuracy=70; do
	fails 2 "--exact or ${option%=*}, not both" "$bcs" tree --exact $option times.csv
done
for option in --collective=bcast --exact --depth=1 --accuracy=70 --leaf=frequent \
	--shape=free; do
	fails 2 "${option%=*} has no effect on a tree" "$bcs" tree --emit=c $option \
		tree-saved.txt
done
fails 2 "'reduce'" "$bcs" tree --collective=reduce times.csv
fails 2 "no times" "$bcs" tree tree-saved.txt
fails 2 "the algorithms of a tree are libbcs's, not MPICH's" \
	"$bcs" tree --emit=mpich tree-saved.txt

# Nothing is written for a library but what was measured of it.
for name in mpich openmpi tree; do
	fails 2 "does not say whose algorithms" "$bcs" tree --emit=$name times.csv
done
of "mpib 1"
for name in mpich openmpi tree; do
	fails 2 "was measured of it" "$bcs" tree --emit=$name "of-mpib 1.csv"
done
{
	echo "$head,library,choice"
	echo "bcast,2,8,binomial,0,1e-6,mpib 0.1.0,forced"
	echo "bcast,2,8,mpi,0,3e-6,mpich 4.0.2,default"
	echo "bcast,2,8,binomial,0,4e-6,mpich 4.0.2,forced"
	echo "bcast,2,4096,binomial,0,1e-6,mpib 0.1.0,forced"
	echo "bcast,2,4096,mpi,0,5e-6,mpich 4.0.2,default"
	echo "bcast,2,4096,binomial,0,4e-6,mpich 4.0.2,forced"
} >whose.csv
"$bcs" tree --emit=mpich whose.csv >whose.json 2>stderr
grep -qx "bcs tree: the binomial of mpib 0.1.0 was not measured of MPICH: left out" \
	stderr || fail "mpib's is not left out: $(cat stderr)"
# The best of MPICH's are what it takes by itself, and its binomial above.
sed -n '/^"collective=bcast/,/^"comm_type=inter/p' whose.json >bcast.json
grep -q '^"avg_msg_size<=4095":{"comm_size<8":' bcast.json || fail "not its own: $(cat bcast.json)"
grep -q '^"avg_msg_size=any":{"algorithm=MPIR_Bcast_intra_binomial":{}}' bcast.json ||
	fail "not its binomial: $(cat bcast.json)"
sed 's/mpich 4.0.2/openmpi 4.1.4/' whose.csv >whose-openmpi.csv
"$bcs" tree --emit=openmpi whose-openmpi.csv >rules 2>stderr
for rule in '0 0 0 0 # mpi' '4096 6 0 0 # binomial'; do
	grep -qx "$rule" rules || fail "not Open MPI's own: $(cat rules)"
done
bad_whose() {
	what=$1
	shift
	printf '%s\n' "$head,library,choice" "$@" >bad.csv
	fails 2 "$what" "$bcs" tree bad.csv
}
bad_whose "'sometimes' cannot be choice" bcast,2,1,linear,0,1e-6,mpich,sometimes
bad_whose "cannot be library" 'bcast,2,1,linear,0,1e-6,<mpich>,forced'
bad_whose "not as many values" bcast,2,1,linear,0,1e-6
sed 's/^row 0/row 1/' tree-saved.txt >bad.tree
fails 2 "do not ascend" "$bcs" tree --emit=c bad.tree
bad "cannot be seconds" bcast,2,1,linear,0,-1e-6
bad "cannot be algorithm" bcast,2,1,'<&"',0,1e-6
bad "cannot be collective" '<&"',2,1,linear,0,1e-6
bad "one point" bcast,2,1,linear,0,1e-6
bad "lines 2 and 3" bcast,2,1,linear,0,1e-6 bcast,2,1,linear,0,2e-6
bad "no measurements"
bad "--collective" bcast,2,1,linear,0,1 reduce,2,1,linear,0,1
exit "$failed"
