#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: doctor.sh DOCTOR_NONE.C CC...
# `bcs doctor` says in a line each what is here, and what is not.
. "$BCS_SOURCE/tests/cli/record.sh"

source=$1
shift

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
[ "$(wc -l <out)" -eq 10 ] || fail "not ten lines: $(cat out)"
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

fails 2 "takes no operands" "$bcs" doctor this
