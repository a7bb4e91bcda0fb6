#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: doctor.sh DOCTOR_NONE.C DOCTOR_OMPI.C CC...
# `bcs doctor` says in a line each what is here, and what is not.
. "$BCS_SOURCE/tests/cli/record.sh"

source=$1
ompi_source=$2
shift 2

# said LINE STATUS COMMAND...: it says so, and ends so.
said() {
	line=$1 expected=$2 rc=0
	shift 2
	"$@" >out 2>err || rc=$?
	if [ "$rc" -ne "$expected" ] || ! grep -q "^$line" out || [ -s err ]; then
		cat out err
		fail "no '$line', or status $rc: $*"
	fi
}

said "ok    preload    /.*libbcs-pmpi.so$" 0 "$bcs" doctor
[ "$(wc -l <out)" -eq 11 ] || fail "not eleven lines: $(cat out)"
said "ok    MPI        MPICH Version: [45]" 0 "$bcs" doctor
said "ok    launcher   mpiexec.*MPICH's$" 0 "$bcs" doctor
said "ok    record     in this folder, with room for " 0 "$bcs" doctor
said "ok    settings   none: mode demand$" 0 "$bcs" doctor
BCS_MODE=fixed said "ok    settings   BCS_MODE=fixed$" 0 "$bcs" doctor
BCS_MODE=fixd said "note  settings .*BCS_MODE=fixd is not taken" 0 "$bcs" doctor
BCS_MOED=fixed said "note  settings .*did you mean BCS_MODE?" 0 "$bcs" doctor
BCS_OUT=none said "bad   record     none: No such file" 1 "$bcs" doctor
said "note  launcher   no mpiexec on the PATH" 0 env PATH=/nowhere "$bcs" doctor

"$@" -shared -fPIC -o none.so "$source"
said "note  reading    ranks may not read .*not permitted" 0 \
	env ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD="$PWD/none.so" \
	"$bcs" doctor
grep -q "^note  sharing    memfd_create: Function not impl" out ||
	fail "not told of memfd_create: $(cat out)"

# A copy in a folder of its own has no preload.
mkdir alone
cp "$bcs" alone/bcs
said "bad   preload    libbcs-pmpi.so is neither beside" 1 alone/bcs doctor

# Open MPI with and without a preload for it; and a library that is none of its own.
mkdir -p both/analyzer both/pmpi-shim ompi other
cp "$bcs" both/analyzer/bcs
touch both/pmpi-shim/libbcs-pmpi.so both/pmpi-shim/libbcs-ompi.so
"$@" -shared -fPIC -o ompi/libmpi.so.40 "$ompi_source"
"$@" -shared -fPIC -o other/libmpi.so.40 "$source"
open="Open MPI v9.8.7 (libmpi.so.40)"
said "ok    Open MPI   $open: libbcs-ompi.so observes its programs, and schedules none$" 0 \
	env LD_LIBRARY_PATH=ompi both/analyzer/bcs doctor
said "note  Open MPI   $open, but no libbcs-ompi.so: .* cannot be recorded; meson setup " 1 \
	env LD_LIBRARY_PATH=ompi alone/bcs doctor
said "ok    Open MPI   no libmpi.so.40 where .*, and libbcs-ompi.so for programs that" 0 \
	env LD_LIBRARY_PATH=other both/analyzer/bcs doctor
said "ok    Open MPI   no libmpi.so.40 where the loader looks, and no libbcs-ompi.so$" 1 \
	env LD_LIBRARY_PATH=other alone/bcs doctor

fails 2 "takes no operands" "$bcs" doctor this
