// The map of a question for a place: its zones are drawn, moved and resized by pointer, beside the fields that take
// their numbers.

const SVG = 'http://www.w3.org/2000/svg';

/** `make` sends a change. */
export function zoning(make) {
	const taken = new WeakSet();

	function take() {
		for (const picture of document.querySelectorAll('#sheet svg.zone-map')) {
			if (taken.has(picture)) continue;
			taken.add(picture);
			const {question} = picture.closest('[data-question]').dataset;
			draw(picture, (value, zone) => make({do: 'zone', question, zone, value}));
		}
	}

	document.addEventListener('studio:changed', take);
	document.addEventListener('toggle', take, true);
}

/** `done` gets a zone and its place once it is let go. `merged` are the zones that the server made of those shown. */
function draw(picture, done) {
	const {
		map: {width, height, cell, lines = []},
		...stored
	} = JSON.parse(picture.dataset.map);
	const handle = Math.max(width, height) / 40;
	const plane = picture.appendChild(drawn('g', {transform: `matrix(1 0 0 -1 0 ${height})`}));
	let zones = [];
	let drag;

	function show(shown, merged = []) {
		zones = shown;
		plane.replaceChildren(
			rectangle([0, 0, width, height], {class: 'ground'}),
			...lines.map(line => drawn('polyline', {points: line.join(' '), class: 'outline'})),
			...merged.map(zone => rectangle(zone, {class: 'merged'})),
			...zones.flatMap((zone, place) =>
				isWhole(zone)
					? [
							rectangle(zone, {class: 'zone', 'data-place': place}),
							rectangle([zone[0] + zone[2] - handle / 2, zone[1] + zone[3] - handle / 2, handle, handle], {
								class: 'handle',
								'data-place': place,
							}),
						]
					: [],
			),
		);
	}

	function at(event) {
		const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(plane.getScreenCTM().inverse());
		return [x, y];
	}

	function begin(event) {
		if (event.button) return;
		event.preventDefault();
		picture.setPointerCapture(event.pointerId);
		const place = Number(event.target.dataset.place ?? zones.length);
		const how = event.target.matches('.handle') ? 'size' : event.target.matches('.zone') ? 'move' : 'draw';
		drag = {how, place, from: at(event), zone: zones[place] ?? []};
	}

	function follow(event) {
		if (!drag) return;
		const [from, to] = [drag.from, at(event)].map(([x, y]) => [within(x, 0, width), within(y, 0, height)]);
		const [across, up] = [to[0] - from[0], to[1] - from[1]];
		const [left, bottom, wide, high] = drag.zone;
		const zone = {
			draw: () => [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.abs(across), Math.abs(up)],
			move: () => [within(left + across, 0, width - wide), within(bottom + up, 0, height - high), wide, high],
			size: () => [left, bottom, Math.max(wide + across, cell), Math.max(high + up, cell)],
		}
			[drag.how]()
			.map(length => snapped(length, cell));
		if (zone[2] < cell || zone[3] < cell) return;
		drag.made = zone;
		show([...zones.slice(0, drag.place), zone, ...zones.slice(drag.place + 1)]);
	}

	function end() {
		const {made, place} = drag ?? {};
		drag = undefined;
		if (made) done(made, place);
	}

	picture.addEventListener('pointerdown', begin);
	picture.addEventListener('pointermove', follow);
	picture.addEventListener('pointerup', end);
	picture.addEventListener('pointercancel', end);
	picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
	show(stored.zones, stored.merged);
}

/** To whole cells. */
const snapped = (value, cell) => Number((Math.round(value / cell) * cell).toPrecision(12));
const isWhole = zone => zone.every(Number.isFinite) && zone[2] > 0 && zone[3] > 0;
const within = (value, least, most) => Math.min(Math.max(value, least), most);

function drawn(name, attributes) {
	const element = document.createElementNS(SVG, name);
	for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
	return element;
}

function rectangle([x, y, width, height], attributes) {
	return drawn('rect', {x, y, width, height, ...attributes});
}
