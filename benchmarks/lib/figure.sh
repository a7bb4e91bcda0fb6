# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A program's run time by ranks, natively and in each mode, after lib/turns.sh:
# . "$root/benchmarks/lib/figure.sh".  It prints "SECONDS CHECK" (kernel.h).
# shellcheck disable=SC2154
cores=$(nproc)

# shellcheck source=benchmarks/lib/plot.sh
. "$root/benchmarks/lib/plot.sh"

# figure LABEL PROGRAM...: and a plot, without plain MPICH beyond the cores, which is
# another order of magnitude.
figure() {
	label=$1
	printf '\n%-29s %8s %8s %8s %8s %7s %7s %7s %5s\n' "$1" native polite \
		demand fixed d/n d/p f/n bar
	shift
	echo ranks polite demand fixed >"$tmp/plot"
	for n in 1 2 4 8; do
		figure_turns "$n" "$@"
		alike
		echo "$n $cores $(median native) $(median polite)" \
			"$(median demand) $(median fixed)" | figure_row
		result "$label" ranks "$n" native "$(median native)" \
			polite "$(median polite)" demand "$(median demand)" \
			fixed "$(median fixed)"
		echo "$n $(median polite) $(median demand) $(median fixed)" \
			>>"$tmp/plot"
	done
	plot "$label" ranks s <"$tmp/plot" \
		>"$results/$benchmark-$(echo "${label##* }" | tr -cd '[:lower:]').svg"
}

# Plain MPICH is run once where it takes ms a message.
figure_turns() {
	if [ "$1" -le "$cores" ]; then
		turns "native polite demand fixed" "$@"
	else
		turns "polite demand fixed" "$@"
		run native "$@"
	fi
}

# The bar is for demand: with cores for all to native, else to polite.
figure_row() {
	awk '{
		bar = $1 == 1 ? "-" : $1 <= $2 ? "d/n 1" : "d/p 1"
		printf "%-29s %8.3f %8.3f %8.3f %8.3f %7.3f %7.3f %7.3f %5s\n",
			$1 ($1 == 1 ? " rank" : " ranks"), $3, $4, $5, $6,
			$5 / $3, $5 / $4, $6 / $3, bar
	}'
}

# alike: whether all runs so far had the same check.
alike() {
	cat "$tmp/native" "$tmp/polite" "$tmp/demand" "$tmp/fixed" |
		cut -d ' ' -f 2 >>"$tmp/checks"
	[ "$(sort -u "$tmp/checks" | wc -l)" -eq 1 ] && return
	echo "${0##*/}: check values differ:" >&2
	sort "$tmp/checks" | uniq -c >&2
	exit 1
}
