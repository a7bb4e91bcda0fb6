#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_pcontrol.sh PROGRAM
# The program's own say (programs/phases.c): 5, 7 and 11 barriers, of which some
# are not recorded, or phases.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

# barriers HOW EXPECTED
barriers() {
	forget
	status observed 2 "$program" "$1" >/dev/null 2>&1
	seen=$(calls "$(the_record)" | awk '$2 == "MPI_Barrier" { print $3 }' |
		sort -u)
	[ "$seen" = "$2" ] || fail "$1: $seen barriers instead of $2"
}

program=$1
barriers none 23
barriers off 16
barriers reset 18
# What Pcontrol(3) wrote is replaced when the job is aborted later.
barriers dump 12

barriers phases 16
for file in "$(the_record)"/*.gz; do
	table "$file" phases "phase name count" | sort >"$out/phases"
	diff -u - "$out/phases" <<-END
	0 % 1
	1 outer 1
	2 inner%20loop 3
	END
	table "$file" cells "phase call count" |
		awk '$2 == "MPI_Barrier" { n[$1] += $3 }
		END { print n[0], n[1], n[2] }' >"$out/cells"
	echo "2 2 12" | diff -u - "$out/cells"
done
