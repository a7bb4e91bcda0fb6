#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Who may include whom.  A folder sees its own headers and those of the folders
# it may use; tests/ sees everything.  mds, tree, model,
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
without_mpi mds
without_mpi tree
without_mpi model
without_mpi sim
without_mpi analyzer
exit "$failed"
