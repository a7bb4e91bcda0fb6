#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Who may include whom.  A folder sees its own headers and those of the folders
# it may use, a room those of the rooms below it; tests/ sees everything.  mds, tree, model,
# sim and analyzer know no MPI.
set -eu
cd "$(dirname "$0")/.."

failed=0

# check FOLDER ALLOWED: the latter an extended expression.
check() {
	[ -d "$1" ] || return 0
	if grep -rnE --include='*.[ch]' '^#include "[^"]*/' "$1" |
		grep -vE "#include \"($1/|$2)"; then
		echo "$1/ may not include these" >&2
		failed=1
	fi
}

# rooms WHOSE FOLDER ROOM...: of the headers of FOLDER that WHOSE matches, a room may
# include only its own and those of the rooms before it.
rooms() {
	whose=$1 folder=$2 seen=
	shift 2
	for room; do
		seen=$seen${seen:+|}$room
		if grep -rnE --include='*.[ch]' "^#include \"$folder/$whose" \
			"$folder/$room" | grep -vE "#include \"$folder/($seen)/"; then
			echo "$folder/$room/ may not include these" >&2
			failed=1
		fi
	done
}

# order FOLDER ROOM...: all rooms may include headers of the folder itself.
order() {
	rooms '[^"]*/' "$@"
}

# strict FOLDER ROOM...: no room may, for the folder itself is above its rooms.
strict() {
	rooms '' "$@"
}

# calls FOLDER: "x.c y.c" where x.c calls a function of y.c, for all files below it.
calls() {
	# shellcheck disable=SC2046 # names without blanks
	awk '
	FNR == 1 { file = FILENAME; sub(/.*\//, "", file); comment = 0 }
	{
		gsub(/"([^"\\]|\\.)*"/, "")
		gsub(/\/\*([^*]|\*[^\/])*\*\//, "")
	}
	comment && !sub(/.*\*\//, "") { next }
	{ comment = sub(/\/\*.*/, "") }
	/^[a-zA-Z]/ && !/^[A-Z_]+\(/ && !/;$/ && match($0, /[ *][a-z][a-z0-9_]*\(/) {
		name = substr($0, RSTART + 1, RLENGTH - 2)
		if (name == "sizeof")
			next
		if (/^static/ || /^[A-Z_]* /)
			own[file, name]
		else
			home[name] = file
	}
	{
		while (match($0, /[a-z][a-z0-9_]*\(/)) {
			called[file, substr($0, RSTART, RLENGTH - 1)]
			$0 = substr($0, RSTART + RLENGTH)
		}
	}
	END {
		for (pair in called) {
			split(pair, p, SUBSEP)
			if (!(pair in own) && p[2] in home && home[p[2]] != p[1])
				print p[1], home[p[2]]
		}
	}' $(find "$1" -name '*.c')
}

# No two files of a folder call in a circle, whichever rooms they are in.
no_circle() {
	loops=$(calls "$1" | tsort 2>&1 >/dev/null) || {
		echo "$loops" | sed 's/^tsort: //; /input contains/d' >&2
		echo "$1/: these files call each other in a circle" >&2
		failed=1
	}
}

without_mpi() {
	if grep -rnE --include='*.[ch]' '^#include [<"]mpi' "$1"; then
		echo "$1/ may not know MPI" >&2
		failed=1
	fi
}

check mds 'none/'
check tree 'mds/'
check model 'mds/|tree/'
check sim 'mds/base/(nearest|utf8)\.h|tree/|model/'
check libbcs 'mds/|tree/'
check pmpi-shim 'mds/|libbcs/'
check analyzer 'mds/|tree/|model/|sim/'
check benchmarks/mpib 'none/'
check benchmarks 'libbcs/(api/bcs|demand/coll/coll_tune|core/(core|fabric_net|fabric_node))\.h|mds/|tree/|sim/'
order mds base record schedule flight callpath emds trace settings mmds
order libbcs base core demand strobe api
order libbcs/strobe base process leader
check libbcs/demand/net 'libbcs/base/|mds/'
strict libbcs/demand net base p2p coll
order pmpi-shim job mpich record dump route again ompi process
order pmpi-shim/record findings calls buffers
order pmpi-shim/route base p2p coll hang
order analyzer/run read flight
order analyzer base places run findings show cli trace replay waits report advise diff slices html export model tree launch check compare hang top doctor
for folder in analyzer benchmarks libbcs mds model pmpi-shim sim tree; do
	no_circle "$folder"
done
# The name of a .c file is enough to find it.
if find . -path './build*' -prune -o -path './tests/gen/gen_*' -prune -o \
	-name '*.c' -print | sed 's,.*/,,' | sort | uniq -d | grep .; then
	echo "these names belong to several files" >&2
	failed=1
fi
without_mpi mds
without_mpi tree
without_mpi model
without_mpi sim
without_mpi analyzer
exit "$failed"
