#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing, builds, runs an unmodified MPI program under the
# preload and prints the report of that run.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

sh "$root/tools/build.sh"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# The program knows nothing of us: any that is linked with MPICH will do.
mpicc.mpich -g -O2 -o "$out/jacobi" "$root/tests/programs/jacobi.c"

cd "$out"
"$root/build/analyzer/bcs" run -- mpiexec.mpich -n 4 ./jacobi
"$root/build/analyzer/bcs" report ./*.bcs
