#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Table 2.1: the core primitives by the number of processes, and how they grow.
# usage: tools/bench.sh primitives [--repetitions N]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
repetitions=5
limit=60
. "$root/benchmarks/lib/turns.sh"
# shellcheck source=benchmarks/lib/plot.sh
. "$root/benchmarks/lib/plot.sh"
arguments "all" "$@"

# fit COLUMN: a + b n and a + b log2 n by least squares, and the better of them.
fit() {
	awk -v column="$1" '
	{ n[NR] = $1; y[NR] = $column }
	function line(kind,    i, x, sx, sy, sxx, sxy, d, r) {
		for (i = 1; i <= NR; i++) {
			x = kind == "n" ? n[i] : log(n[i]) / log(2)
			sx += x; sy += y[i]; sxx += x * x; sxy += x * y[i]
		}
		slope[kind] = (NR * sxy - sx * sy) / (NR * sxx - sx * sx)
		first[kind] = (sy - slope[kind] * sx) / NR
		for (i = 1; i <= NR; i++) {
			x = kind == "n" ? n[i] : log(n[i]) / log(2)
			d = first[kind] + slope[kind] * x - y[i]
			r += d * d
		}
		return r
	}
	END {
		by = line("n") < line("log2 n") ? "n" : "log2 n"
		printf "%.3f + %.3f %s\n", first[by], slope[by], by
	}' "$tmp/table"
}

about
printf '\n%10s %22s %22s %14s\n' processes "compare-and-write, us" \
	"64 KiB to all, us" "MB/s, of all"
for n in 2 4 8 16 32 64 128; do
	rm -f "$tmp/rows"
	for _ in $(seq "$repetitions"); do
		timeout "$limit" "$programs/primitives" $n 65536 >>"$tmp/rows"
	done
	for column in 2 3 4; do
		awk -v column=$column '{ print $column }' "$tmp/rows" |
			sort -n | sed -n "$(((repetitions + 1) / 2))p"
	done | tr '\n' ' ' | sed "s/^/$n /; s/ \$//" >"$tmp/row"
	cat "$tmp/row" >>"$tmp/table"
	echo >>"$tmp/table"
	awk '{ printf "%10d %22.3f %22.3f %14.0f\n", $1, $2, $3, $4 }' "$tmp/row"
	# shellcheck disable=SC2046 # four numbers
	set -- $(cat "$tmp/row")
	result primitives processes "$1" compare_us "$2" transfer_us "$3" \
		mb_s "$4"
done
cat <<-END

	growth, us: compare-and-write $(fit 2)
	            64 KiB to all     $(fit 3)

	the paper's table 2.1, of networks   compare-and-write, us   MB/s
	Gigabit Ethernet                     46 log n                not available
	Myrinet                              20 log n                15 n
	Infiniband                           20 log n                not available
	QsNet                                less than 10            more than 150 n
	BlueGene/L                           less than 2             700 n
END
{
	echo "processes compare-and-write 64-KiB-to-all"
	cut -d ' ' -f 1-3 "$tmp/table"
} | plot "core primitives" processes us >"$results/primitives.svg"
