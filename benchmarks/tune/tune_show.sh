# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tables of the gains by a tuning file, from $tmp/compared.
# shellcheck disable=SC2154 # of tune.sh

# gains: RANKS COLLECTIVE BYTES ALGORITHM DEFAULT TUNED TURNS, in us and medians.
gains() {
	decide best >"$tmp/best"
	sort -k 1,1 -k 2,2n -k 3,3 -k 4,4n -k 5,5g "$tmp/compared" | awk '
	FILENAME == ARGV[1] { best[$1 " " $2 " " $3] = $4; next }
	{
		key = $2 " " $3 " " $4
		value[$1, key, ++n[$1, key]] = $5 * 1e6
		keys[key]
	}
	function median(how, key,    low, high) {
		low = value[how, key, int((n[how, key] + 1) / 2)]
		high = value[how, key, int(n[how, key] / 2) + 1]
		return (low + high) / 2
	}
	END {
		for (key in keys)
			printf "%s %s %.3f %.3f %d\n", key, best[key],
				median("default", key), median("tuned", key),
				n["tuned", key]
	}' "$tmp/best" - | sort -k 2,2 -k 1,1n -k 3,3n >"$tmp/gains"
}

# show: points for which the file differs from the default; a line for each collective.
show() {
	printf '\n%-20s %5s %9s %-36s %10s %10s %7s\n' collective ranks bytes \
		"algorithm of the file" default tuned ratio
	while read -r n collective size name before after turns; do
		[ "$name" != mpi ] || continue
		ratio=$(awk -v a="$before" -v b="$after" 'BEGIN { printf "%.3f", b / a }')
		printf '%-20s %5s %9s %-36s %10s %10s %7s\n' "$collective" "$n" \
			"$size" "$name" "$before" "$after" "$ratio"
		result "$collective, $n ranks, $size bytes" algorithm "$name" \
			default_us "$before" tuned_us "$after" turns "$turns"
	done <"$tmp/gains"
	printf '\n%-20s %9s %9s  %s\n' collective points changed \
		"tuned / default: changed points, and those that are not (noise)"
	for collective in $parts; do
		awk -v of="$collective" '
		$2 == of { ratio[$4 != "mpi", ++n[$4 != "mpi"]] = $6 / $5 }
		function three(i,    j, k, v) {
			if (!n[i])
				return "-"
			for (j = 2; j <= n[i]; j++) {
				v = ratio[i, j]
				for (k = j - 1; k > 0 && ratio[i, k] > v; k--)
					ratio[i, k + 1] = ratio[i, k]
				ratio[i, k + 1] = v
			}
			return sprintf("%.3f (%.3f to %.3f)",
				ratio[i, int((n[i] + 1) / 2)], ratio[i, 1],
				ratio[i, n[i]])
		}
		END {
			printf "%-20s %9d %9d  %s, %s\n", of, n[0] + n[1], n[1],
				three(1), three(0)
		}' "$tmp/gains"
	done
}
