#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A rank on one of the first two cores: neighbours together on one, or apart on two.
# usage: mpiexec.mpich -n RANKS sh placed.sh together|apart PROGRAM [ARGUMENT]...
set -eu
case $1 in
together) core=$((PMI_RANK / 2 % 2)) ;;
apart) core=$((PMI_RANK % 2)) ;;
*)
	sed -n 's/^# usage: /usage: /p' "$0" >&2
	exit 2
	;;
esac
shift
exec taskset -c "$core" "$@"
