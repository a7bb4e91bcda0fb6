
// SPDX-License-Identifier: BSD-3-Clause
// Sorting and searching of the tables, which are whole without it; and charts.
const root = document.documentElement;
const all = (selector, from = document) => [...from.querySelectorAll(selector)];

// What a terminal must not get, a page had better not show as it is either.
const safe = text => String(text).replace(
	/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
	c => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

function element(name, attributes = {}, ...inside) {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes))
		made.setAttribute(key, value);
	made.append(...inside);
	return made;
}

function drawn(name, attributes = {}, text) {
	const made = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes))
		made.setAttribute(key, value);
	if (text !== undefined)
		made.textContent = text;
	return made;
}

// Numbers

function scaled(value, units) {
	let [per, name] = units[0];
	for (const [from, text] of units)
		if (value >= from)
			[per, name] = [from, text];
	const number = value / per;
	const digits = number >= 100 || number === Math.round(number) ? 0
		: number >= 10 ? 1 : 2;
	return number.toFixed(digits) + " " + name;
}
const timeText = ns => scaled(ns, [[1, "ns"], [1e3, "us"], [1e6, "ms"], [1e9, "s"]]);
const sizeText = bytes => scaled(bytes, [[1, "B"], [1024, "KiB"], [1048576, "MiB"],
	[1073741824, "GiB"], [1099511627776, "TiB"]]);
const percentText = share => (100 * share).toFixed(1) + " %";
const sum = numbers => numbers.reduce((a, b) => a + b, 0);

// Tables

function valueOf(cell) {
	const text = cell.dataset.v ?? cell.textContent.replace(/^#/, "");
	return text === "-" || text === "" ? -Infinity : Number(text);
}

const bodyRows = table => all("tbody > tr", table);

// The first rows are shown and the rest is folded, whatever they are sorted by;
// rows that stay last have a body of their own.
function sortBy(table, place, header) {
	const [first, rest] = all("tbody:not(.last)", table);
	const shown = first.rows.length;
	const text = header.classList.contains("t");
	const up = header.getAttribute("aria-sort") === "descending" ||
		(text && !header.hasAttribute("aria-sort"));
	const rows = [...first.rows, ...(rest ? rest.rows : [])].map(row => ({
		row,
		key: text ? row.cells[place].textContent : valueOf(row.cells[place]),
	}));
	const sign = up ? 1 : -1;
	rows.sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
	for (const other of table.tHead.rows[0].cells)
		other.removeAttribute("aria-sort");
	header.setAttribute("aria-sort", up ? "ascending" : "descending");
	const sorted = rows.map(item => item.row);
	first.replaceChildren(...sorted.slice(0, shown));
	if (rest)
		rest.replaceChildren(...sorted.slice(shown));
}

function makeSortable(table) {
	[...table.tHead.rows[0].cells].forEach((header, place) => {
		const button = element("button", { type: "button" });
		if (!header.textContent)
			return;
		button.append(...header.childNodes);
		header.append(button);
		button.addEventListener("click", () => sortBy(table, place, header));
	});
}

// A bar behind each share.
function drawShares(table) {
	[...table.tHead.rows[0].cells].forEach((header, place) => {
		if (!/share_percent|communication_percent/.test(header.dataset.k))
			return;
		for (const row of bodyRows(table)) {
			const cell = row.cells[place];
			const share = Math.min(Math.max(valueOf(cell), 0), 100);
			cell.classList.add("share");
			cell.style.setProperty("--w", share + "%");
		}
	});
}

const FOUND = 200; // rows of a table that a search shows

function makeSearch(tables) {
	let rows;
	const input = element("input", { type: "search", id: "search",
		placeholder: "Search tables ( / )", "aria-label": "Search tables" });
	const found = element("output", { for: "search" });
	const search = () => {
		const wanted = input.value.trim().toLowerCase();
		let n = 0, table, here;
		rows ??= tables.flatMap(bodyRows).map(row => ({
			row, table: row.closest("table"), text: row.textContent.toLowerCase() }));
		for (const item of rows) {
			here = item.table === table ? here : 0;
			table = item.table;
			const hit = item.text.includes(wanted);
			here += hit;
			item.row.classList.toggle("miss", !hit || (wanted !== "" && here > FOUND));
			n += hit;
		}
		document.body.classList.toggle("searching", wanted !== "");
		found.textContent = wanted ? n + (n === 1 ? " row" : " rows") : "";
	};
	input.addEventListener("input", search);
	document.addEventListener("keydown", event => {
		if (event.key === "Escape" && event.target === input) {
			input.value = "";
			search();
		} else if (event.key === "/" && !/^(INPUT|SELECT)$/.test(event.target.tagName)) {
			event.preventDefault();
			input.focus();
		}
	});
	document.querySelector("nav").append(
		element("div", { class: "search" }, input, found));
}

// Charts: all are drawn anew where the width changes; one item of a chart can
// be chosen by pointer or arrow keys, and a line under the chart tells of it.

function legend(names) {
	const list = element("div", { class: "legend" });
	names.forEach(([name, color]) => {
		const box = drawn("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" });
		box.append(drawn("rect", { width: 1, height: 1, class: "f" + color }));
		list.append(element("span", {}, box, name));
	});
	return list;
}

// draw(svg, width) returns { height, n, columns, at(x, y), place(i), tell(i) }.
function interactive(where, label, draw) {
	const svg = drawn("svg", { role: "img", tabindex: 0, "aria-label": label });
	const readout = element("p", { class: "readout", "aria-live": "polite" });
	const mark = drawn("rect", { class: "mark", visibility: "hidden" });
	let chart, chosen = -1;
	const choose = i => {
		if (i < 0 || i >= chart.n)
			return;
		chosen = i;
		for (const [key, value] of Object.entries(chart.place(i)))
			mark.setAttribute(key, value);
		mark.setAttribute("visibility", "visible");
		readout.textContent = chart.tell(i);
	};
	const redraw = () => {
		const width = Math.max(where.clientWidth, 240);
		svg.replaceChildren();
		chart = draw(svg, width);
		svg.setAttribute("viewBox", `0 0 ${width} ${chart.height}`);
		svg.setAttribute("height", chart.height);
		svg.append(mark);
		mark.setAttribute("visibility", "hidden");
		readout.textContent = chart.n ? label + ": point at it, or use the arrow keys"
			: "nothing on record";
		chosen = -1;
	};
	svg.addEventListener("pointermove", event => {
		const box = svg.getBoundingClientRect();
		choose(chart.at(event.clientX - box.left, event.clientY - box.top));
	});
	svg.addEventListener("keydown", event => {
		const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -chart.columns,
			ArrowDown: chart.columns }[event.key];
		if (!step)
			return;
		event.preventDefault();
		choose(chosen < 0 ? 0 : chosen + step);
	});
	where.append(svg, readout);
	redraw();
	return redraw;
}

const LEFT = 64, TOP = 8, FOOT = 22;

function axes(svg, width, height, most, text) {
	for (let i = 0; i <= 4; i++) {
		const y = TOP + (height - TOP - FOOT) * (1 - i / 4);
		svg.append(drawn("line", { class: "axis", x1: LEFT, x2: width, y1: y, y2: y }),
			drawn("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" },
				text(most * i / 4)));
	}
}

function below(svg, height, x, anchor, text) {
	svg.append(drawn("text", { x, y: height - 6, "text-anchor": anchor }, text));
}

// Columns of parts on top of each other.
function stacked(items, parts, tell, text, ends) {
	return (svg, width) => {
		const height = 220;
		const most = Math.max(...items.map(item => sum(item.parts))) || 1;
		const step = (width - LEFT) / items.length;
		const gap = step > 4 ? 1 : 0;
		const scale = (height - TOP - FOOT) / most;
		axes(svg, width, height, most, text);
		items.forEach((item, i) => {
			let y = height - FOOT;
			item.parts.forEach((value, part) => {
				const tall = value * scale;
				y -= tall;
				if (tall > 0.05)
					svg.append(drawn("rect", { class: "f" + parts[part],
						x: LEFT + i * step, y, width: step - gap, height: tall }));
			});
		});
		below(svg, height, LEFT, "start", ends[0]);
		below(svg, height, width, "end", ends[1]);
		return {
			height, n: items.length, columns: 1,
			at: x => Math.floor((x - LEFT) / step),
			place: i => ({ x: LEFT + i * step, y: TOP, width: step,
				height: height - TOP - FOOT }),
			tell,
		};
	};
}

const rankText = rank => String(rank);
const ranksText = (from, to) => from === to ? "rank " + rankText(from)
	: "ranks " + rankText(from) + " to " + rankText(to) + ", mean";

const charts = {
	timeline: timelineChart,

	bars(where, run) {
		const items = run.bars.map(bar => ({ bar, parts: [
			bar.computation_ns,
			Math.max(bar.communication_ns - bar.waiting_ns, 0),
			Math.min(bar.waiting_ns, bar.communication_ns),
			bar.off_ns] }));
		const names = ["computation", "MPI at work", "MPI waiting", "not recorded"];
		const used = [0, 1, 2, 3].filter(i => items.some(item => item.parts[i] > 0));
		const tell = i => ranksText(items[i].bar.from, items[i].bar.to) + ": " +
			used.map(p => names[p] + " " + timeText(items[i].parts[p])).join(", ");
		where.append(legend(used.map(i => [names[i], i])));
		const last = items.length - 1;
		return interactive(where, "Time by rank", stacked(items, [0, 1, 2, 3], tell,
			timeText, ["rank " + rankText(items[0].bar.from),
				last ? "rank " + rankText(items[last].bar.to) : ""]));
	},

	matrix(where, run) {
		const { ranks, group } = run.matrix;
		const side = Math.ceil(ranks / group);
		const by = new Map(run.cells.map(cell => [cell.from * side + cell.to, cell]));
		const most = Math.max(1, ...run.cells.map(cell => cell.bytes));
		const name = i => ranksText(i * group, Math.min((i + 1) * group, ranks) - 1)
			.replace(", mean", "");
		const tell = i => {
			const cell = by.get(i);
			return name(Math.floor(i / side)) + " to " + name(i % side) + ": " +
				(cell ? sizeText(cell.bytes) + " in " + cell.messages +
					" messages" : "nothing");
		};
		return interactive(where, "Bytes from rank to rank", (svg, width) => {
			const size = Math.min(width - LEFT, 560, side * 48);
			const step = size / side;
			svg.append(drawn("rect", { class: "f3", "fill-opacity": 0.12, x: LEFT,
				y: TOP, width: size, height: size }));
			for (const [i, cell] of by)
				svg.append(drawn("rect", { class: "f4",
					"fill-opacity": 0.15 + 0.85 *
						Math.log1p(cell.bytes) / Math.log1p(most),
					x: LEFT + i % side * step, y: TOP + Math.floor(i / side) * step,
					width: Math.max(step - (step > 6), 1),
					height: Math.max(step - (step > 6), 1) }));
			svg.append(drawn("text", { x: LEFT - 6, y: TOP + 11, "text-anchor": "end" },
				"from 0"));
			if (side > 1)
				svg.append(drawn("text", { x: LEFT - 6, y: TOP + size,
					"text-anchor": "end" }, String(ranks - 1)));
			below(svg, size + TOP + FOOT, LEFT, "start", "to 0");
			if (side > 2)
				below(svg, size + TOP + FOOT, LEFT + size, "end", String(ranks - 1));
			const inside = v => v >= 0 && v < side;
			return {
				height: size + TOP + FOOT, n: side * side, columns: side, tell,
				at: (x, y) => {
					const to = Math.floor((x - LEFT) / step);
					const from = Math.floor((y - TOP) / step);
					return inside(to) && inside(from) ? from * side + to : -1;
				},
				place: i => ({ x: LEFT + i % side * step,
					y: TOP + Math.floor(i / side) * step, width: step, height: step }),
			};
		});
	},

	distributions(where, run) {
		const rows = run.distributions;
		const calls = new Map();
		for (const row of rows)
			if (row.metric === "time")
				calls.set(row.of, (calls.get(row.of) || 0) + row.count * row.low);
		if (!calls.size)
			return () => {};
		const order = [...calls].sort((a, b) => b[1] - a[1]).map(call => call[0]);
		const call = element("select", {}, ...order.map(name =>
			element("option", {}, safe(name))));
		const metric = element("select", {},
			element("option", { value: "time" }, "time of a call"),
			element("option", { value: "size" }, "bytes of a call"));
		where.append(element("div", { class: "controls" },
			element("label", {}, "Distribution of ", call),
			element("label", {}, "by ", metric)));
		const redraw = interactive(where, "Distribution", (svg, width) => {
			const text = metric.value === "time" ? timeText : sizeText;
			const shown = rows.filter(row => row.metric === metric.value &&
				row.of === order[call.selectedIndex]);
			return histogram(svg, width, shown, text);
		});
		call.addEventListener("change", redraw);
		metric.addEventListener("change", redraw);
		return redraw;
	},

	slices(where, run) {
		const names = ["begin and end", "exchange", "scheduling", "to other nodes",
			"point-to-point", "broadcast, barrier", "reduce",
			"copies after it", "reductions after it", "MPI's progress"];
		const keys = ["sr", "dem", "msm", "get", "p2p", "bbm", "rm",
			"copy", "fold", "poke"];
		// By time or on demand: no run has two parts of one colour.
		const colors = [3, 0, 1, 6, 4, 5, 2, 6, 7, 3];
		const bins = run.bins.map(bin => ({ bin, parts: keys.map(key =>
			bin[key + "_ns"] / run.slices.processes / (bin.to_ns - bin.from_ns)) }));
		const used = keys.map((_, i) => i).filter(i =>
			bins.some(item => item.parts[i] > 0));
		const items = bins.map(item => ({ bin: item.bin,
			parts: used.map(i => item.parts[i]) }));
		if (!items.length)
			return () => {};
		const tell = i => timeText(items[i].bin.from_ns) + " to " +
			timeText(items[i].bin.to_ns) + ": " + items[i].bin.slices + " slices, " +
			used.map((p, at) => names[p] + " " + percentText(items[i].parts[at]))
				.join(", ") + " of the time";
		where.append(legend(used.map(i => [names[i], colors[i]])));
		return interactive(where, "Microphases over time", stacked(items,
			used.map(i => colors[i]), tell, percentText,
			[timeText(items[0].bin.from_ns),
				timeText(items[items.length - 1].bin.to_ns)]));
	},
};

// Over the logarithm of the value; the height is the share of the calls.
function histogram(svg, width, rows, text) {
	const height = 220;
	const total = sum(rows.map(row => row.count)) || 1;
	const most = Math.max(...rows.map(row => row.count / total), 0.01);
	const log = value => Math.log2(value + 1);
	const first = rows.length ? log(rows[0].low) : 0;
	const span = rows.length ? log(rows[rows.length - 1].high + 1) - first || 1 : 1;
	const x = value => LEFT + (log(value) - first) / span * (width - LEFT);
	const box = row => ({ x: x(row.low), width: Math.max(x(row.high + 1) - x(row.low), 2) });
	axes(svg, width, height, most, percentText);
	for (const row of rows) {
		const tall = (height - TOP - FOOT) * row.count / total / most;
		svg.append(drawn("rect", { class: "f4", y: height - FOOT - tall, height: tall,
			...box(row) }));
	}
	if (rows.length) {
		below(svg, height, LEFT, "start", text(rows[0].low));
		below(svg, height, width, "end", text(rows[rows.length - 1].high));
	}
	return {
		height, n: rows.length, columns: 1,
		at: at => rows.findIndex(row => at >= box(row).x && at < box(row).x + box(row).width),
		place: i => ({ y: TOP, height: height - TOP - FOOT, ...box(rows[i]) }),
		tell: i => text(rows[i].low) + " to " + text(rows[i].high) + ": " +
			rows[i].count + " calls, " + percentText(rows[i].count / total),
	};
}

async function bytesOf(id) {
	const text = atob(document.getElementById(id).textContent);
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function drawCharts() {
	const data = JSON.parse(new TextDecoder().decode(await bytesOf("data")));
	const redraws = await Promise.all(all(".chart").map(where =>
		charts[where.dataset.chart](where, data.runs[where.dataset.run])));
	let width = root.clientWidth;
	window.addEventListener("resize", () => {
		if (root.clientWidth === width)
			return;
		width = root.clientWidth;
		redraws.forEach(redraw => redraw());
	});
}

const tables = all("table");
tables.forEach(makeSortable);
tables.forEach(drawShares);
if (tables.length)
	makeSearch(tables);
drawCharts().then(() => root.dataset.ready = "yes", problem => {
	root.dataset.ready = "no";
	console.error(problem);
});
