// SPDX-License-Identifier: BSD-3-Clause
// What a trace says about its calls: the columns that html_timeline.c writes, the facts of
// a call, the text that a search looks through, and the color of a call.

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
