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

# order FOLDER ROOM...: a room sees those before it, and headers of the folder itself.
order() {
	folder=$1 seen=
	shift
	for room; do
		seen=$seen${seen:+|}$room
		if grep -rnE --include='*.[ch]' "^#include \"$folder/[^\"]*/" \
			"$folder/$room" | grep -vE "#include \"$folder/($seen)/"; then
			echo "$folder/$room/ may not include these" >&2
			failed=1
		fi
	done
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
check sim 'mds/(nearest|utf8)\.h|tree/|model/'
check libbcs 'mds/|tree/'
check pmpi-shim 'mds/|libbcs/'
check analyzer 'mds/|tree/|model/|sim/'
check benchmarks/mpib 'none/'
check benchmarks 'libbcs/(api/bcs|demand/coll/coll_tune|core/(core|fabric_net|fabric_node))\.h|mds/|tree/|sim/'
order libbcs base core demand strobe api
check libbcs/demand/net 'libbcs/base/|mds/'
order pmpi-shim job mpich record dump route process
order pmpi-shim/route base p2p coll hang
order analyzer base run show cli trace report diff slices html export model tree launch compare
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
