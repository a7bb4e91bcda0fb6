#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: slices.sh GOLDEN [--update]
# What `bcs slices` says of made-up slices; and that it adds up.
. "$BCS_SOURCE/tests/cli/record.sh"

synth=$BCS_BUILD/tests/cli/synth_slices
golden=$1
update=${2-}
failed=0
for what in fixed demand old dropped few; do
	"$synth" $what $what.1.bcs
done

# same NAME OPTION...
same() {
	name=$1
	shift
	"$bcs" slices "$@" >"$name" 2>&1 || fail "status $?: bcs slices $*"
	if [ "$update" = --update ]; then
		cp "$name" "$golden/$name"
	fi
	diff -u "$golden/$name" "$name" || failed=1
}

same slices-fixed.txt --width=100 fixed.1.bcs
same slices-demand.txt --top=3 demand.1.bcs
same slices-dropped.txt --top=0 dropped.1.bcs
same slices-few.txt --top=2 few.1.bcs
same slices-getts.txt --metric=getts --width=70 fixed.1.bcs
same slices-late.txt --metric=late --over=time --rank=1 --width=70 fixed.1.bcs
same slices-bins.csv --metric=ltts --bins=8 --csv fixed.1.bcs
same slices-each.csv --metric=gtts --slices=118-132 --csv fixed.1.bcs
same slices-each.json --metric=bytes --slices=45-48 --json demand.1.bcs
same slices.json --json --top=1 fixed.1.bcs
same slices.svg --metric=getts --slices=100-119 --svg fixed.1.bcs

# Every row is there, and sums agree.
"$bcs" slices --csv fixed.1.bcs >rows.csv
[ "$(wc -l <rows.csv)" -eq 301 ] || fail "$(wc -l <rows.csv) lines, not 301"
bytes=$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++)
	if ($i == "\"bytes\"") at = i; next } { sum += $at } END { print sum }' rows.csv)
[ "$bytes" = $((298 * 1024 + 2 * 65536)) ] || fail "$bytes bytes"
"$bcs" slices --metric=bytes --csv fixed.1.bcs |
	awk -F , 'NR > 1 { sum += $4 } END { print sum }' | grep -qx "$bytes" ||
	fail "the series has other bytes than the rows"

# What exists in the other mode only is not there, and not for the other node what is
# the Strobe Sender's.
"$bcs" slices --csv demand.1.bcs >turns.csv
! head -n 1 turns.csv | grep -q 'gt\|usr\|late\|ltsr\|ltdh' || fail "slices on demand"
"$bcs" slices --csv old.1.bcs | cmp - turns.csv
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"gtts_ns\"") at = i; next }
	at == 0 || ($at == "") != ($1 == 1) { exit 1 }' rows.csv ||
	fail "times of the Strobe Sender on another node"

# The newest record, where none is named.
mkdir other
cp -r demand.1.bcs other
(cd other && "$bcs" slices --top=3) | diff - slices-demand.txt

# A file that was cut off gives what is there, and is told of.
cp -r fixed.1.bcs cut.1.bcs
head -c 5000 fixed.1.bcs/rank-000001.slices >cut.1.bcs/rank-000001.slices
fails 0 "rank-000001.slices: section" "$bcs" slices --csv cut.1.bcs
[ "$(wc -l <stdout)" -gt 160 ] || fail "nothing of the file that was cut off"

mkdir none.1.bcs
for size in 0 9 200; do
	cp -r demand.1.bcs "cut$size.1.bcs"
	for file in "cut$size".1.bcs/*.slices; do
		rm "$file"
	done
	head -c $size fixed.1.bcs/rank-000000.slices >"cut$size.1.bcs/rank-000000.slices"
	fails 2 "rank-000000.slices: " "$bcs" slices "cut$size.1.bcs"
done
fails 2 "no slices on record" "$bcs" slices none.1.bcs
fails 2 "of these ranks" "$bcs" slices --rank=7 fixed.1.bcs
fails 2 "No such file" "$bcs" slices no.1.bcs
fails 2 "--metric=length" "$bcs" slices --metric=length fixed.1.bcs
fails 2 "--slices=9-8" "$bcs" slices --slices=9-8 fixed.1.bcs
fails 2 "--bins=0" "$bcs" slices --bins=0 fixed.1.bcs
fails 2 "--csv or --svg, not both" "$bcs" slices --metric=getts --csv --svg fixed.1.bcs
fails 2 "turns on demand have no getts" "$bcs" slices --metric=getts demand.1.bcs
fails 2 "slices by the strobe have no polls" "$bcs" slices -m polls fixed.1.bcs
fails 2 "one --metric" "$bcs" slices --svg fixed.1.bcs
fails 2 "one record" "$bcs" slices fixed.1.bcs demand.1.bcs
fails 2 "np2pdem was not recorded" "$bcs" slices -m np2pdem --csv few.1.bcs
"$bcs" slices --csv few.1.bcs | head -n 1 | grep -qx '"rank","slice","begin_ns","slices","ltts_ns"' ||
	fail "columns that were not recorded"
"$bcs" slices --csv few.1.bcs | awk -F , 'NF != 5 { exit 1 }' ||
	fail "values that were not recorded"
fails 2 "none of the slices 7 to 9" "$bcs" slices --slices=7-9 fixed.1.bcs
fails 2 "none of the slices 7 to 9" "$bcs" slices -s 7-9 -m late fixed.1.bcs

# What does not belong to the first file is left out.
mkdir mix.1.bcs twice.1.bcs
cp fixed.1.bcs/rank-000000.slices mix.1.bcs
cp demand.1.bcs/rank-000001.slices mix.1.bcs
fails 0 "rank-000001.slices is of another run" "$bcs" slices --csv mix.1.bcs
[ "$(wc -l <stdout)" -eq 151 ] || fail "rows of another run"
cp fixed.1.bcs/rank-000000.slices twice.1.bcs
cp fixed.1.bcs/rank-000000.slices twice.1.bcs/rank-000005.slices
fails 0 "of a rank that is there" "$bcs" slices --csv twice.1.bcs
[ "$(wc -l <stdout)" -eq 151 ] || fail "rows of the same rank twice"

# Numbers that are far apart.
"$synth" far far.1.bcs
for option in --bins=1 --bins=2 --width=60; do
	"$bcs" slices --metric=bytes $option far.1.bcs >/dev/null
done
fails 0 "34 slices came faster" "$bcs" slices -m ltts --csv dropped.1.bcs
[ "$failed" -eq 0 ]
