#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: tables.sh
# Call paths and distributions read the same from the tables of today and from those of
# earlier versions (mds/FORMAT.md).  Rows that lead nowhere do no harm.
. "$BCS_SOURCE/tests/cli/record.sh"

# start_of: the tables before those that differ.
start_of() {
	begin 0 1
	echo "0 4000000000 6000000000 0 0 0 160" | table threads "$threads"
	table cells "$cells" <<-END
		0 0 MPI_Send 0 3 100 1000 4 12 0 800 0 8 8
		1 0 MPI_Send 0 2 50 5000 90 110 0 0 0 0 0
		2 0 MPI_Recv 0 5 10 400 17 1000000 0 0 80 8 8
	END
}

end_of() {
	printf '0 /opt/prog %%\n1 /opt/lib.so %%\n' |
		table modules "module file build_id"
	end
}

# tree NAME: a record of today, with the rows of callers from stdin.
tree() {
	mkdir "$1"
	{
		start_of
		table distributions "of index buckets" <<-END
			time 0 4:40,4:60
			time 1 36:49
			time 1 38
			time 2 17:9,103
			size 0 8:100
			size 2 8:10
			computation 0 30:2,1,1:7
		END
		table callers "back frame"
		table frames "module offset_hex" <<-END
			0 100
			0 200
			1 300
			% 400
		END
		end_of
	} >"$1/rank-000000.gz"
}

# Paths 1 to 5: 100; 100 200; 100 200 300; 300; 300 400.
printf '1 0\n1 1\n1 2\n4 2\n1 3\n' | tree new.bcs

mkdir old.bcs
{
	start_of
	# With 8 buckets to each power of two.
	table histogram "$histogram" <<-END
		time 0 4 4 40
		time 0 8 8 60
		time 1 96 103 49
		time 1 112 119 1
		time 2 18 19 9
		time 2 131072 147455 1
		size 0 8 8 100
		size 2 8 8 10
		computation 0 56 59 2
		computation 0 60 63 1
		computation 0 64 71 7
	END
	table paths "path level module offset_hex" <<-END
		2 0 0 100
		2 1 0 200
		3 0 0 100
		3 1 0 200
		3 2 1 300
		5 0 1 300
		5 1 % 400
	END
	end_of
} >old.bcs/rank-000000.gz

for options in "" --paths --json "--json --paths"; do
	for when in new old; do
		# shellcheck disable=SC2086 # several words
		"$bcs" report $options $when.bcs | sed "s/$when.bcs/R.bcs/" >$when
	done
	diff -u old new || fail "report $options differs"
done
grep -q "lib.so+0x300;(code of no file)" new || fail "the path is not told: $(cat new)"

# harmless: the record on stdin is read without a warning, its paths are unknown.
harmless() {
	rm -rf bad.bcs
	tree bad.bcs
	"$bcs" report --paths bad.bcs >bad 2>&1 || fail "status $?: $(cat bad)"
	! grep -q '/opt/prog+\|prog+0x' bad || fail "a path that cannot be: $(cat bad)"
}

printf '0 0\n0 1\n0 2\n0 2\n0 3\n' | harmless # back to itself
printf '2 0\n3 1\n4 2\n5 2\n6 3\n' | harmless # before the first
printf '1 4\n1 4\n1 4\n4 9\n1 18446744073709551615\n' | harmless # no such frame
: | harmless
# More frames than a path may have.
{
	seq 1000 | sed 's/.*/1 0/'
} | tree long.bcs
zcat long.bcs/rank-000000.gz | sed 's/MPI_Send 0 3 100/MPI_Send 0 900 100/' >long
section=$(awk '/^section/ { name = $2 } name == "cells" { print }' long | sed 1d | wc -c)
sed "s/^section cells 1 .*/section cells 1 $section/" long | gzip -n \
	>long.bcs/rank-000000.gz
"$bcs" report --paths long.bcs >long || fail "a long path: status $?"

for buckets in 99999:1 18446744073709551616 1: :1 a 1,,1 1,18446744073709551615 % 1:1x; do
	zcat new.bcs/rank-000000.gz | sed "s/time 1 38/time 1 $buckets/" >bad
	section=$(awk '/^section/ { name = $2 } name == "distributions" { print }' bad |
		sed 1d | wc -c)
	sed "s/^section distributions 1 .*/section distributions 1 $section/" bad |
		gzip -n >bad.bcs/rank-000000.gz
	"$bcs" report bad.bcs >bad || fail "buckets $buckets: status $?"
done
