// SPDX-License-Identifier: BSD-3-Clause
// The timeline: ranks x time on a canvas, with its keys, pointer and search.

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
		tellChosen();
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
		tellChosen();
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

	// The box of the chosen call, where that is in view.
	function tellChosen() {
		const row = chosen < 0 ? -1 : laneOf(data, chosen) - firstLane;
		tip.hidden = row < 0 || row >= rows ||
			data.end[chosen] < view.from || data.begin[chosen] > view.to;
		if (tip.hidden)
			return;
		tell(chosen);
		placeTip(x(Math.max(data.begin[chosen], view.from)), HEAD + (row + 1) * rowHeight);
	}

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
		tellChosen();
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
	canvas.addEventListener("pointerleave", tellChosen);

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
