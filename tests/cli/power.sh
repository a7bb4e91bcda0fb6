#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: power.sh
# `bcs bench power` on a false tree of RAPL's counters: what it prints is what
# `bcs model fit` reads, and what it says where there are none.
. "$BCS_SOURCE/tests/cli/record.sh"

power() {
	"$bcs" bench power --powercap="$PWD/powercap" "$@"
}

fails 2 "powercap: no RAPL is shown" power
zone=powercap/intel-rapl:0
mkdir -p "$zone"
echo package-0 >"$zone/name"
echo 10000000 >"$zone/max_energy_range_uj"
echo 0 >"$zone/energy_uj"
fails 2 "powercap: RAPL's counters stand still" power --seconds=0.01
fails 2 "--seconds cannot be '0'" power --seconds=0
fails 2 "--repetitions cannot be 'x'" power --repetitions=x
fails 2 "too many: 'x'" power x

# It goes on, and wraps, as long as there is the tree; without a process of its
# own for each step, which under load are late.
(
	energy=0
	while [ -d "$zone" ]; do
		energy=$(((energy + 100003) % 10000000))
		printf '%08d\n' $energy 1<>"$zone/energy_uj"
	done
) 2>/dev/null &
power --seconds=0.4 --repetitions=2 >power.csv || fail "status $? of power"
mv powercap over
wait
[ "$(sed -n 1p power.csv)" = operation,threads,watts ] || fail "no columns"
rows=$(grep -cE '^power,[0-9]+,[0-9.]+$' power.csv)
[ "$rows" -eq $((2 * ($(nproc) + 1))) ] || fail "$rows rows"
awk -F , 'NR > 1 && $3 > 1e6 { exit 1 }' power.csv || fail "it does not wrap"

# With a machine's figures instead: 60 W, and 12 W for each busy thread.
awk -F , 'BEGIN { print "operation,threads,watts" }
	END { for (n = 0; n <= 8; n++) print "power," n "," 60 + 12 * n }' \
	/dev/null >watts.csv
"$bcs" model fit --save=here.system watts.csv >/dev/null || fail "no fit"
"$bcs" model eval --csv --system=here.system power 4 | grep -q '108' ||
	fail "4 threads do not take 108 W"
"$bcs" model fit power.csv >/dev/null 2>said || grep -q 'too few' said ||
	fail "bcs model fit does not read it: $(cat said)"
