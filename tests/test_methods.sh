#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: test_methods.sh TRAFFIC SUMS
# Broadcasts and reductions are right in every way to do them, whole and in
# pieces; and a sum of floating-point numbers has the same bits each time, with
# others on the cores, on demand and by time.
# shellcheck source=tests/lib.sh
. "$BCS_SOURCE/tests/lib.sh"

traffic=$1
sums=$2

for method in linear binary binomial split-binary pipeline striped; do
	for piece in "" :1K :8K :16K :32K :64K :128K; do
		export BCS_REDUCE="$method$piece"
		export BCS_BCAST="$method$piece"
		[ $method != striped ] || BCS_BCAST=auto
		observed 5 "$traffic" 7 3 collectives >"$out/stdout"
		grep -q ' 0 errors' "$out/stdout" ||
			fail "$method$piece: $(cat "$out/stdout")"
	done
	unset BCS_REDUCE BCS_BCAST
done

# The load is ended with the test.
(while :; do :; done) &
load=$!
trap 'kill $load; rm -rf "$out"' EXIT
for method in auto linear binomial:8K striped; do
	for mode in demand fixed demand; do
		BCS_MODE=$mode BCS_REDUCE=$method observed 3 "$sums" 100 \
			>>"$out/$method"
	done
	[ "$(sort -u "$out/$method" | wc -l)" -eq 1 ] ||
		fail "$method: not the same: $(sort -u "$out/$method")"
done
