// SPDX-License-Identifier: BSD-3-Clause
// The timeline: ranks x time on a canvas.  Each frame shares the time of the calls
// in view among the columns of pixels, and paints a column in the mean color.

// Numbers as html_timeline.c writes them: seven bits a byte, the lowest first.
function columnReader(bytes) {
	let at = 0;
	const number = () => {
		let value = 0, scale = 1, byte;
		do {
			byte = bytes[at++];
			value += (byte & 127) * scale;
			scale *= 128;
		} while (byte > 127);
		return value;
	};
	const signed = () => {
		const value = number();
		return value % 2 ? -(value + 1) / 2 : value / 2;
	};
	return { number, signed, column(made, next = number) {
		for (let i = 0; i < made.length; i++)
			made[i] = next();
		return made;
	} };
}

const SHAPE = ["call", "site", "comm", "phase", "peer", "tag", "sent", "received", "state"];
const ANYBODY = -2, NOBODY = -1;

// All calls by number, lane after lane; those of a lane in the order of time.
function timelineData(head, bytes) {
	const reader = columnReader(bytes);
	const shapes = Array.from({ length: head.shapes }, () => ({}));
	for (const key of SHAPE)
		for (const shape of shapes)
			shape[key] = reader.number();
	for (const shape of shapes) {
		shape.peer += ANYBODY;
		shape.tag += NOBODY;
	}
	const lanes = [];
	let n = 0;
	for (const [name, calls] of head.lanes) {
		lanes.push({ name, first: n, last: n + calls });
		n += calls;
	}
	const begin = reader.column(new Float64Array(n), reader.signed);
	const end = reader.column(new Float64Array(n));
	for (const lane of lanes) {
		let now = 0;
		for (let i = lane.first; i < lane.last; i++) {
			begin[i] += now;
			now = end[i] += begin[i];
		}
	}
	const wait = reader.column(new Float64Array(n));
	const shapeOf = reader.column(new Uint32Array(n));
	const m = head.messages;
	const from = reader.column(new Float64Array(m), reader.signed);
	const to = reader.column(new Float64Array(m), reader.signed);
	for (let i = 0; i < m; i++) {
		from[i] += i ? from[i - 1] : 0;
		to[i] += from[i];
	}
	return { n, lanes, shapes, begin, end, wait, shapeOf, from, to,
		texts: head.texts.map(safe),
		tag: reader.column(new Float64Array(m), reader.signed),
		bytes: reader.column(new Float64Array(m)),
		sentBy: listsBy(from, n), receivedBy: listsBy(to, n) };
}

// The messages of each call: list[start[i]] to list[start[i + 1] - 1].
function listsBy(calls, n) {
	const start = new Uint32Array(n + 2);
	const list = new Uint32Array(calls.length);
	for (const call of calls)
		start[call + 2]++;
	for (let i = 2; i < start.length; i++)
		start[i] += start[i - 1];
	calls.forEach((call, i) => list[start[call + 1]++] = i);
	return call => list.subarray(start[call], start[call + 1]);
}

// The first call of a lane that ends after the time.
function firstAfter(data, lane, time) {
	let low = lane.first, high = lane.last;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (data.end[middle] > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

const laneOf = (data, call) => data.lanes.findIndex(lane => call < lane.last);
const peerText = peer => peer === ANYBODY ? "any" : String(peer);
const exactTime = ns => ns < 1000 ? ns + " ns" : (ns / 1000).toFixed(3) + " us";

// All that is known of a call, as pairs of a name and a text.
function factsOf(data, call) {
	const shape = data.shapes[data.shapeOf[call]];
	const facts = [["where", data.lanes[laneOf(data, call)].name],
		["begin", exactTime(data.begin[call])],
		["time", exactTime(data.end[call] - data.begin[call])]];
	const add = (name, text) => text && facts.push([name, text]);
	add("waited", data.wait[call] > 0 && exactTime(data.wait[call]));
	add("peer", shape.peer !== NOBODY && peerText(shape.peer));
	add("tag", shape.tag !== NOBODY && String(shape.tag));
	add("sent", shape.sent && shape.sent + " B");
	add("received", shape.received && shape.received + " B");
	for (const key of ["comm", "phase", "site"])
		add({ comm: "communicator", phase: "phase", site: "place" }[key],
			data.texts[shape[key]]);
	const messages = [
		...[...data.sentBy(call)].map(i => [i, "to ", data.to[i]]),
		...[...data.receivedBy(call)].map(i => [i, "from ", data.from[i]])];
	for (const [i, word, other] of messages.slice(0, 8))
		facts.push(["message", word + data.lanes[laneOf(data, other)].name + ", " +
			data.bytes[i] + " B, tag " + data.tag[i]]);
	if (messages.length > 8)
		facts.push(["messages", messages.length + " in all"]);
	return facts;
}

// What a search looks through: one text for each shape.
function textsOf(data) {
	return data.shapes.map(shape => [data.texts[shape.call],
		shape.peer === NOBODY ? "" : "peer " + peerText(shape.peer),
		shape.tag === NOBODY ? "" : "tag " + shape.tag,
		shape.sent ? "sent " + shape.sent + " B" : "",
		shape.received ? "received " + shape.received + " B" : "",
		data.texts[shape.comm], data.texts[shape.phase], data.texts[shape.site],
	].filter(text => text).join(", ").toLowerCase());
}

const STATES = [["point to point", 4], ["point to point", 4], ["collective", 5],
	["completes requests", 1], ["completes requests", 1], ["one-sided", 6],
	["files", 7], ["other MPI", 6], ["not recorded", 3]];
const COMPUTING = 0, WAITING = 2;

// The color of each shape, and a legend: by state, or the longest calls apart.
function colorsOf(data, byCall) {
	if (!byCall)
		return { of: data.shapes.map(shape => STATES[shape.state][1]),
			names: [...new Map(data.shapes.map(shape => STATES[shape.state]))] };
	const times = new Map();
	for (let i = 0; i < data.n; i++) {
		const call = data.shapes[data.shapeOf[i]].call;
		times.set(call, (times.get(call) || 0) + data.end[i] - data.begin[i]);
	}
	const order = [...times].sort((a, b) => b[1] - a[1]).map(item => item[0]);
	const colors = [4, 5, 1, 6, 7];
	const color = call => colors[order.indexOf(call)] ?? 3;
	return { of: data.shapes.map(shape => color(shape.call)),
		names: [...order.slice(0, 5).map(call => [data.texts[call], color(call)]),
			...(order.length > 5 ? [["other calls", 3]] : [])] };
}

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

const ARROWS = 2000, HEAD = 18, TALL = 440, AROUND = 3;
const KEYS = "Keys: arrows move, + and - zoom, 0 shows the run, a all; comma and period " +
	"choose a call, Enter zooms to it, m shows messages. The wheel zooms once the timeline " +
	"has the focus, or with Ctrl.";

async function timelineChart(where, run) {
	const head = run.timeline;
	const data = timelineData(head, await bytesOf("trace-" + where.dataset.run));
	const canvas = element("canvas", { tabindex: 0, role: "application",
		"aria-label": "Timeline. " + KEYS });
	const tip = element("div", { class: "tip", hidden: "" });
	const readout = element("p", { class: "readout", "aria-live": "polite" });
	const by = element("select", {}, element("option", {}, "state"),
		element("option", {}, "primitive"));
	const search = element("input", { type: "search", placeholder: "Search calls",
		"aria-label": "Search calls of the timeline" });
	const found = element("output", {});
	const arrows = element("input", { type: "checkbox" });
	const arrowsNote = element("output", {});
	const names = element("div", {});
	const button = (text, label, act) => {
		const made = element("button", { type: "button", "aria-label": label, title: label },
			text);
		made.addEventListener("click", act);
		return made;
	};
	const draw = canvas.getContext("2d");
	const strip = document.createElement("canvas");
	const texts = textsOf(data);
	const view = { data, from: head.from, to: head.to, hits: null };
	let chosen = -1, firstLane = 0, asked = false, rowHeight, rows, width, ratio;

	const x = time => LEFT + (time - view.from) / (view.to - view.from) * (width - LEFT);
	const timeAt = at => view.from + (at - LEFT) / (width - LEFT) * (view.to - view.from);
	const y = lane => HEAD + (lane - firstLane) * rowHeight;
	const redraw = () => {
		if (!asked)
			requestAnimationFrame(frame);
		asked = true;
	};

	function measure() {
		width = Math.max(where.clientWidth, 240);
		ratio = Math.min(window.devicePixelRatio || 1, 2);
		rowHeight = Math.max(12, Math.min(28, Math.floor(TALL / data.lanes.length)));
		rows = Math.min(data.lanes.length, Math.floor(TALL / rowHeight));
		canvas.width = width * ratio;
		canvas.height = (HEAD + rows * rowHeight) * ratio;
		canvas.style.height = HEAD + rows * rowHeight + "px";
		strip.width = Math.round((width - LEFT) * ratio);
		strip.height = rows;
		const calls = colorsOf(data, by.selectedIndex === 1);
		const palette = [0, 1, 2, 3, 4, 5, 6, 7].map(color => rgb("--c" + color));
		view.colors = { ground: rgb("--ground"), quiet: rgb("--line"),
			computing: palette[COMPUTING],
			ink: rgb("--ink"), soft: rgb("--soft") };
		// By shape, behind waiting.
		view.paint = Float64Array.from([WAITING, ...calls.of]
			.flatMap(color => palette[color]));
		names.replaceChildren(legend([["computing", COMPUTING], ...calls.names,
			["waiting for another rank", WAITING]]));
		redraw();
	}
	const css = color => `rgb(${color})`;

	function drawLanes() {
		const image = new ImageData(strip.width, rows);
		const sums = new Float64Array(4 * strip.width);
		for (let row = 0; row < rows; row++) {
			const lane = data.lanes[firstLane + row];
			if (lane.last > lane.first)
				paintLane(view, lane, image.data, row, sums);
		}
		strip.getContext("2d").putImageData(image, 0, 0);
		draw.imageSmoothingEnabled = false;
		for (let row = 0; row < rows; row++)
			draw.drawImage(strip, 0, row, strip.width, 1, LEFT, HEAD + row * rowHeight,
				width - LEFT, rowHeight - 2);
	}

	function drawWords() {
		draw.fillStyle = css(view.colors.soft);
		draw.font = "11px system-ui, sans-serif";
		draw.textAlign = "right";
		for (let row = 0; row < rows; row++)
			draw.fillText(data.lanes[firstLane + row].name, LEFT - 6,
				HEAD + row * rowHeight + rowHeight / 2 + 3, LEFT - 8);
		draw.textAlign = "left";
		for (const [time, text] of ticks(view.from, view.to, (width - LEFT) / 110)) {
			draw.fillRect(x(time), HEAD - 5, 1, 4);
			if (x(time) + draw.measureText(text).width < width)
				draw.fillText(text, x(time) + 3, 11);
		}
	}

	function drawArrow(i) {
		const from = laneOf(data, data.from[i]), to = laneOf(data, data.to[i]);
		const ax = x(data.begin[data.from[i]]), bx = x(data.end[data.to[i]]);
		const ay = y(from) + rowHeight / 2, by = y(to) + rowHeight / 2;
		const angle = Math.atan2(by - ay, bx - ax);
		draw.beginPath();
		draw.moveTo(ax, ay);
		draw.lineTo(bx, by);
		for (const side of [-0.4, 0.4]) {
			draw.moveTo(bx, by);
			draw.lineTo(bx - 7 * Math.cos(angle + side), by - 7 * Math.sin(angle + side));
		}
		draw.stroke();
	}

	const inView = i => data.begin[data.from[i]] < view.to && data.end[data.to[i]] > view.from;
	function drawMessages() {
		let n = 0, nth = 0;
		if (arrows.checked)
			for (let i = 0; i < data.from.length; i++)
				n += inView(i);
		const step = Math.ceil(n / ARROWS);
		draw.save();
		draw.beginPath();
		draw.rect(LEFT, HEAD, width - LEFT, rows * rowHeight);
		draw.clip();
		draw.strokeStyle = css(view.colors.ink);
		draw.globalAlpha = 0.55;
		for (let i = 0; n && i < data.from.length; i++)
			if (inView(i) && nth++ % step === 0)
				drawArrow(i);
		draw.globalAlpha = 1;
		if (chosen >= 0) {
			for (const list of [data.sentBy(chosen), data.receivedBy(chosen)])
				list.subarray(0, ARROWS).forEach(drawArrow);
			draw.lineWidth = 2;
			draw.strokeRect(x(data.begin[chosen]) - 1, y(laneOf(data, chosen)) - 1,
				Math.max(x(data.end[chosen]) - x(data.begin[chosen]), 1) + 2, rowHeight);
		}
		draw.restore();
		arrowsNote.textContent = !arrows.checked ? "" : step > 1
			? `1 of ${step} of ${n}: zoom in for all` : n + " in view";
	}

	function frame() {
		asked = false;
		draw.setTransform(ratio, 0, 0, ratio, 0, 0);
		draw.clearRect(0, 0, width, canvas.height);
		drawLanes();
		drawWords();
		drawMessages();
		where.dataset.from = view.from;
		where.dataset.to = view.to;
	}

	function show(from, to) {
		const span = Math.min(Math.max(to - from, 20), head.end || 1);
		from = Math.min(Math.max(from, 0), head.end - span);
		[view.from, view.to] = [from, from + span];
		redraw();
	}
	const zoom = (factor, time = (view.from + view.to) / 2) =>
		show(time - (time - view.from) * factor, time + (view.to - time) * factor);
	const pan = share => {
		const by = (view.to - view.from) * share;
		show(view.from + by, view.to + by);
	};
	const scrollTo = lane => {
		firstLane = Math.min(Math.max(lane, 0), data.lanes.length - rows);
		redraw();
	};

	function placeTip(left, top) {
		tip.style.left = Math.max(0, Math.min(left + 14, width - tip.offsetWidth)) + "px";
		tip.style.top = top + 18 + "px";
	}
	function tell(call) {
		const list = element("dl");
		for (const [name, text] of factsOf(data, call))
			list.append(element("dt", {}, name), element("dd", {}, text));
		tip.replaceChildren(element("b", {},
			data.texts[data.shapes[data.shapeOf[call]].call]), list);
		tip.hidden = false;
	}
	const tellLine = call => data.texts[data.shapes[data.shapeOf[call]].call] + ": " +
		factsOf(data, call).map(fact => fact.join(" ")).join(", ");

	// Chooses a call and brings it into view.
	function choose(call) {
		chosen = call;
		if (call < 0) {
			tip.hidden = true;
			readout.textContent = KEYS;
			redraw();
			return;
		}
		const lane = laneOf(data, call), span = view.to - view.from;
		if (lane < firstLane || lane >= firstLane + rows)
			scrollTo(lane - (rows >> 1));
		if (data.end[call] < view.from || data.begin[call] > view.to)
			show(data.begin[call] - span / 2, data.begin[call] + span / 2);
		tell(call);
		placeTip(x(data.begin[call]), y(lane) + rowHeight);
		readout.textContent = tellLine(call);
		redraw();
	}

	// The longest call that can be meant at a place; -1: none.
	function callAt(left, top) {
		const lane = data.lanes[firstLane + Math.floor((top - HEAD) / rowHeight)];
		if (!lane || top < HEAD || left < LEFT)
			return -1;
		let best = -1;
		const to = timeAt(left + AROUND);
		for (let i = firstAfter(data, lane, timeAt(left - AROUND));
			i < lane.last && data.begin[i] < to; i++)
			if (!(view.hits && !view.hits[data.shapeOf[i]]) && (best < 0 ||
				data.end[i] - data.begin[i] > data.end[best] - data.begin[best]))
				best = i;
		return best;
	}

	// The next call of the lane; of a search, the next one that it finds anywhere.
	function next(step, call = chosen) {
		const lane = data.lanes[Math.max(call < 0 ? firstLane : laneOf(data, call), 0)];
		if (!view.hits) {
			const to = call < 0 ? firstAfter(data, lane, view.from) : call + step;
			return to >= lane.first && to < lane.last ? to : call;
		}
		for (let k = 1; k <= data.n; k++) {
			const i = ((call < 0 ? -1 : call) + step * k + 2 * data.n) % data.n;
			if (view.hits[data.shapeOf[i]])
				return i;
		}
		return call;
	}
	function otherLane(step) {
		if (chosen < 0)
			return scrollTo(firstLane + step);
		const lane = data.lanes[laneOf(data, chosen) + step];
		if (lane && lane.last > lane.first)
			choose(Math.min(firstAfter(data, lane, data.begin[chosen]), lane.last - 1));
	}
	function zoomTo(call) {
		const time = call < 0 ? 0 : data.end[call] - data.begin[call];
		if (call >= 0)
			show(data.begin[call] - time * 2, data.end[call] + time * 2);
	}
	const actions = {
		ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2),
		ArrowUp: () => otherLane(-1), ArrowDown: () => otherLane(1),
		"+": () => zoom(1 / 1.5), "=": () => zoom(1 / 1.5), "-": () => zoom(1.5),
		0: () => show(head.from, head.to), a: () => show(0, head.end),
		",": () => choose(next(-1)), ".": () => choose(next(1)),
		Enter: () => zoomTo(chosen), Escape: () => choose(-1),
		m: () => arrows.click(),
	};
	canvas.addEventListener("keydown", event => {
		if (!Object.hasOwn(actions, event.key) || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		actions[event.key]();
	});
	canvas.addEventListener("wheel", event => {
		if (document.activeElement !== canvas && !event.ctrlKey)
			return;
		event.preventDefault();
		const left = event.clientX - canvas.getBoundingClientRect().left;
		if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
			pan((event.deltaX || event.deltaY) / width);
		else
			zoom(1.0015 ** event.deltaY, timeAt(Math.max(left, LEFT)));
	}, { passive: false });

	let drag = null;
	canvas.addEventListener("pointerdown", event => {
		canvas.setPointerCapture(event.pointerId);
		drag = { x: event.clientX, y: event.clientY, from: view.from, to: view.to,
			lane: firstLane, moved: false };
	});
	canvas.addEventListener("pointermove", event => {
		const box = canvas.getBoundingClientRect();
		const left = event.clientX - box.left, top = event.clientY - box.top;
		if (drag) {
			drag.moved ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 3;
			const by = (drag.x - event.clientX) / (width - LEFT) * (drag.to - drag.from);
			if (drag.moved) {
				show(drag.from + by, drag.to + by);
				scrollTo(drag.lane + Math.round((drag.y - event.clientY) / rowHeight));
				tip.hidden = true;
			}
			return;
		}
		const call = callAt(left, top);
		if (call < 0) {
			tip.hidden = true;
			return;
		}
		tell(call);
		placeTip(left, top);
	});
	canvas.addEventListener("pointerup", event => {
		const box = canvas.getBoundingClientRect();
		if (drag && !drag.moved)
			choose(callAt(event.clientX - box.left, event.clientY - box.top));
		drag = null;
	});
	canvas.addEventListener("pointercancel", () => drag = null);
	canvas.addEventListener("pointerleave", () => tip.hidden = chosen < 0);

	search.addEventListener("input", () => {
		const wanted = search.value.trim().toLowerCase();
		let n = 0;
		view.hits = wanted ? texts.map(text => text.includes(wanted)) : null;
		for (let i = 0; wanted && i < data.n; i++)
			n += view.hits[data.shapeOf[i]];
		found.textContent = wanted ? n + (n === 1 ? " call" : " calls") : "";
		redraw();
	});
	search.addEventListener("keydown", event => {
		if (event.key === "Enter" && view.hits)
			choose(next(event.shiftKey ? -1 : 1));
		else if (event.key === "Escape") {
			search.value = "";
			search.dispatchEvent(new Event("input"));
		}
	});
	by.addEventListener("change", measure);
	arrows.addEventListener("change", redraw);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", measure);

	where.append(element("div", { class: "controls" },
		element("label", {}, "Color by ", by), element("span", {}, search, " ", found),
		element("label", {}, arrows, " messages "), arrowsNote,
		element("span", {}, button("+", "Zoom in", () => zoom(1 / 2)), " ",
			button("\u2212", "Zoom out", () => zoom(2)), " ",
			button("run", "Show the run", () => show(head.from, head.to)))),
		names, element("div", { class: "time" }, canvas, tip), readout);
	where.parentNode.querySelector(".letters").hidden = true;
	readout.textContent = KEYS;
	measure();
	return measure;
}
