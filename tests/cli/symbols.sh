#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: symbols.sh CC SOURCE
# Call sites have function, file and line, inlined functions included, wherever
# the program was loaded; if the file is not the one that ran they have none.
. "$BCS_SOURCE/tests/cli/record.sh"
cc=$1 source=$2

# The line in which a remark stands.
line_of() {
	grep -n "/\* $1 \*/" "$source" | cut -d: -f1
}

# record BUILD_ID: of ./prog, whose paths it prints itself.
record() {
	mkdir -p prog.1.bcs
	{
		begin 0 1 polite unavailable local_ranks 1
		echo "0 1000 1000 0 0 0 2" | table threads "$threads"
		table cells "$cells" <<-END
			0 0 MPI_Send 0 1 1 600 600 600 0 0 0 0 0
			1 0 MPI_Recv 0 2 1 300 300 300 0 0 0 0 0
		END
		./prog | table paths "path level module offset_hex"
		echo "0 $out/prog $1" | table modules "module file build_id"
		end
	} >prog.1.bcs/rank-000000.gz
}

site() {
	"$bcs" report --csv --section=sites --primitive="$1" prog.1.bcs |
		sed 1d | cut -d, -f1 | tr -d '"'
}

is() {
	[ "$2" = "$1" ] || fail "it says '$2', not '$1'"
}

build_id() {
	readelf -n prog | sed -n 's/.*Build ID: //p'
}

for kind in -pie -no-pie; do
	$cc -D_GNU_SOURCE -O2 -g "$kind" -Wl,--build-id -fno-optimize-sibling-calls \
		-o prog "$source"
	record "$(build_id)"
	is "exchange sites.c:$(line_of inner)" "$(site MPI_Send)"
	is "solve sites.c:$(line_of outer)" "$(site MPI_Recv)"
	"$bcs" report --paths --section=sites prog.1.bcs >paths
	grep -q "< exchange sites.c:$(line_of inner) (inlined)" paths ||
		fail "no inlined function in the path"
	grep -q "< solve sites.c:$(line_of around)" paths ||
		fail "no function around the inlined one in the path"
done

# Another id of the same length, and those that agree as far as they go.
for id in "$(build_id | tr 0-9a-f 1-9a-f0)" \
	"$(build_id | cut -c1-8)" "$(build_id)00"; do
	record "$id"
	"$bcs" report --section=sites,notes prog.1.bcs >changed
	grep -q "prog was built anew" changed || fail "nothing said of $id"
	grep -q "prog+0x" changed || fail "no addresses for $id"
done

strip -g prog
record "$(build_id)"
"$bcs" report --section=sites,notes prog.1.bcs >stripped
grep -q "prog has no debug data" stripped || fail "nothing said of no lines"
grep -q "solve (prog+0x" stripped || fail "no function without lines"
