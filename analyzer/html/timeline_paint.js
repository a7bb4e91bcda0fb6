// SPDX-License-Identifier: BSD-3-Clause
// The lanes of the timeline as pixels, and its scale.  Each frame shares the time of the
// calls in view among the columns of pixels, and paints a column in the mean color.

function rgb(name) {
	const text = getComputedStyle(root).getPropertyValue(name).trim().slice(1);
	const digits = text.length === 3 ? [...text].map(c => c + c) : text.match(/../g);
	return digits.map(two => parseInt(two, 16));
}

const LEAST = 0.15; // a call is seen, however short
const LEAST_HIT = 0.6;

// Fills the row of the image with a lane: shares of `sums` are red, green, blue, time.
function paintLane(view, lane, image, row, sums) {
	const { data, from, to, colors, paint, hits } = view;
	const { begin, end, wait, shapeOf } = data;
	const width = sums.length / 4, scale = width / (to - from);
	const add = (p, part, color) => {
		const at = 4 * p, c = 3 * color;
		sums[at] += part * paint[c];
		sums[at + 1] += part * paint[c + 1];
		sums[at + 2] += part * paint[c + 2];
		sums[at + 3] += part;
	};
	const share = (a, b, color) => {
		const x = Math.max((a - from) * scale, 0), end = Math.min((b - from) * scale, width);
		const first = Math.floor(x), last = Math.min(Math.floor(end), width - 1);
		if (first >= last) // most are short
			return first === last && add(first, end - x || 1e-9, color);
		for (let p = first; p <= last; p++)
			add(p, Math.min(end, p + 1) - Math.max(x, p), color);
	};
	sums.fill(0);
	for (let i = firstAfter(data, lane, from); i < lane.last && begin[i] < to; i++) {
		const shape = shapeOf[i], middle = begin[i] + wait[i];
		if (hits && !hits[shape])
			continue;
		if (wait[i])
			share(begin[i], middle, 0);
		share(middle, end[i], shape + 1);
	}
	const life = [begin[lane.first], end[lane.last - 1]];
	const least = hits ? LEAST_HIT : LEAST;
	for (let p = 0; p < width; p++) {
		const time = from + (p + 0.5) / scale, sum = sums[4 * p + 3];
		const ground = time < life[0] || time > life[1] ? colors.ground
			: hits ? colors.quiet : colors.computing;
		const part = sum ? Math.min(Math.max(sum, least), 1) : 0;
		const at = 4 * (row * width + p);
		for (let c = 0; c < 3; c++)
			image[at + c] = ground[c] * (1 - part) +
				(sum ? sums[4 * p + c] / sum * part : 0);
		image[at + 3] = 255;
	}
}

// Round times for the scale, in the unit that suits the last one.
function ticks(from, to, most) {
	const rough = (to - from) / most;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].find(n => n * power >= rough) * power;
	const [per, unit] = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]]
		.find(item => to >= item[0]) || [1, "ns"];
	const digits = Math.min(Math.max(0, Math.ceil(Math.log10(per / step))), 9);
	const list = [];
	for (let time = Math.ceil(from / step) * step; time < to; time += step)
		list.push([time, (time / per).toFixed(digits) + " " + unit]);
	return list;
}
