# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A picture of a table: . "$root/benchmarks/lib/plot.sh".

# plot TITLE X Y: SVG of the table on stdin, to stdout.  The first line names the
# columns, the first column is x, by powers of two; each other is a line.
plot() {
	awk -v title="$1" -v xs="$2" -v ys="$3" '
	function x(v) { return 70 + 520 * (log(v) - log(first)) / span }
	function y(v) { return 300 - 250 * v / top }
	function text(at, line, anchor, words) {
		printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
			at, line, anchor, words
	}
	# The least round step of which there are six at most.
	function step_of(most,    step) {
		step = exp(int(log(most) / log(10) - 8) * log(10))
		for (i = 0; most / step > 6.000001; i++)
			step *= i % 3 == 1 ? 2.5 : 2
		return step
	}
	# Sizes as people give them: 64K.
	function size(v,    unit) {
		for (unit = 0; xs ~ /byte/ && v >= 1024 && v % 1024 == 0; unit++)
			v /= 1024
		return v substr("KMG", unit, unit > 0)
	}
	NR == 1 {
		for (i = 2; i <= NF; i++)
			name[i] = $i
		next
	}
	{
		n++
		for (i = 1; i <= NF; i++)
			value[n, i] = $i
		for (i = 2; i <= NF; i++)
			if ($i > top)
				top = $i
		columns = NF
	}
	END {
		split("#036 #c60 #080 #a0a #800 #088", color, " ")
		first = value[1, 1]
		span = log(value[n, 1]) - log(first)
		if (span == 0 || top == 0)
			exit
		print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\"" \
			" height=\"350\" font-family=\"sans-serif\" font-size=\"12\">"
		print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
		print "<path d=\"M70 50V300H590\" fill=\"none\" stroke=\"#333\"/>"
		text(70, 30, "start", title)
		text(330, 340, "middle", xs)
		text(64, 44, "end", ys)
		step = step_of(top)
		for (at = 0; at <= top * 1.000001; at += step) {
			printf "<path d=\"M70 %.1fH590\" stroke=\"#ddd\"/>\n", y(at)
			text(64, y(at) + 4, "end", sprintf("%.7g", at))
		}
		for (k = 1; k <= n; k++) {
			if (x(value[k, 1]) < room)
				continue
			room = x(value[k, 1]) + 36
			text(x(value[k, 1]), 318, "middle", size(value[k, 1]))
		}
		for (i = 2; i <= columns; i++) {
			printf "<path fill=\"none\" stroke=\"%s\" d=\"", color[i - 1]
			for (k = 1; k <= n; k++)
				printf "%s%.1f %.1f", k == 1 ? "M" : "L",
					x(value[k, 1]), y(value[k, i])
			print "\"/>"
			printf "<path stroke=\"%s\" d=\"M600 %dh20\"/>\n",
				color[i - 1], 60 + 18 * i
			text(626, 64 + 18 * i, "start", name[i])
		}
		print "</svg>"
	}'
}
