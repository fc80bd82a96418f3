// A place on a map: a press on the map, or two sliders, sets a pin. The answer is a cell, counted from the bottom
// left. No picture comes from elsewhere, and where this device is does not leave it.

import {button, h, p, say, style, svg} from '../page.js';
import {missing} from './usual.js';

/** Its looks, which the page waits for. */
export const load = () => style(new URL('place.css', import.meta.url));

export const values = ({map: {width, height, cell}}) => [width, height, cell];
export const valueOf = answer => answer;

const sizeOf = ({map: {width, height, cell}}) => [width, height].map(length => Math.round(length / cell));

const cellIn = answer => answer.split(':').map(Number);

const inCells = (question, answer) => {
	const [[x, y], [columns, rows]] = [cellIn(answer), sizeOf(question)];
	return say('map.place', {x: x + 1, columns, y: y + 1, rows});
};
export {inCells as valueInWords};

export const problem = missing;
export const inWords = (question, answer) => (answer ? inCells(question, answer) : say('nothing'));

const limit = (value, most) => Math.min(Math.max(value, 0), most - 1);

export function controls(question, session, give, described) {
	const {
		id,
		map: {width, height, cell, lines = [], degrees},
	} = question;
	const [columns, rows] = sizeOf(question);
	const {block} = session.definition.items.find(item => item.question === question);
	const zones = block.zones ?? [];
	const unit = Math.max(width, height) / 400; // of the pin
	const levels = [...new Set(zones.map(([, , , , near]) => near))].sort((one, other) => other - one);
	const isIn = ([left, bottom, wide, high], x, y) => x >= left && x < left + wide && y >= bottom && y < bottom + high;

	const pin = svg('path', {class: 'pin', d: 'M0 0 -7 14a9 9 0 1 0 14 0z'});
	const picture = svg(
		'svg',
		{class: 'map', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': say('map.map'), click: press},
		svg(
			'g',
			{transform: `matrix(1 0 0 -1 0 ${height})`},
			svg('rect', {class: 'ground', width, height}),
			zones.map(shaded),
			lines.length ? lines.map(line => svg('polyline', {points: line.join(' ')})) : grid(width, height),
			pin,
		),
	);
	const said = h('p', {role: 'status', class: 'help'});
	const slider = (key, most) =>
		h('input', {
			type: 'range',
			dir: 'ltr',
			min: 0,
			max: most - 1,
			'aria-label': say(`map.${key}`),
			...described,
			input: slide,
		});
	const [across, up] = [slider('across', columns), slider('up', rows)];
	const found = h('p', {role: 'status', class: 'error'});

	/** A zone with a lower chance to send a place near the true one is darker. */
	function shaded([left, bottom, wide, high, near]) {
		const rect = svg('rect', {
			class: 'zone',
			x: left * cell,
			y: bottom * cell,
			width: wide * cell,
			height: high * cell,
		});
		if (levels.length > 1) rect.style.fillOpacity = 0.1 + (0.4 * (levels.indexOf(near) + 1)) / levels.length;
		return rect;
	}
	function where(x, y) {
		const zone = zones.find(each => isIn(each, x, y));
		if (!zone) return say('map.outside');
		if (levels.length < 2) return say('map.inZone');
		return say('map.inLevel', {level: levels.indexOf(zone[4]) + 1, levels: levels.length});
	}
	function draw(answer) {
		const [x, y] = answer ? cellIn(answer) : [Math.floor(columns / 2), Math.floor(rows / 2)];
		[across.value, up.value] = [x, y];
		pin.setAttribute('transform', `translate(${(x + 0.5) * cell} ${(y + 0.5) * cell}) scale(${unit})`);
		picture.classList.toggle('blank', !answer);
		const zone = zones.length ? [where(x, y)] : [];
		said.replaceChildren(answer ? `${[inCells(question, answer), ...zone].join(', ')}.` : say('map.none'));
		[across, up].forEach((one, place) =>
			one.setAttribute(
				'aria-valuetext',
				say('map.place', {x: x + 1, columns, y: y + 1, rows}) + (place < 2 && zone.length ? `, ${zone[0]}` : ''),
			),
		);
	}
	function set(x, y) {
		const answer = `${limit(x, columns)}:${limit(y, rows)}`;
		found.replaceChildren();
		draw(answer);
		give(answer);
	}
	function slide() {
		set(Number(across.value), Number(up.value));
	}
	function press({clientX, clientY}) {
		// The picture may stand in the middle of a wider box.
		const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(pin.parentNode.getScreenCTM().inverse());
		set(Math.floor(x / cell), Math.floor(y / cell));
	}
	function locate() {
		navigator.geolocation.getCurrentPosition(
			({coords: {longitude, latitude}}) => {
				const [west, south, east, north] = degrees;
				const [x, y] = [
					Math.floor(((longitude - west) * east) / cell),
					Math.floor(((latitude - south) * north) / cell),
				];
				if (x < 0 || y < 0 || x >= columns || y >= rows) found.replaceChildren(say('map.away'));
				else set(x, y);
			},
			() => found.replaceChildren(say('map.unknown')),
		);
	}

	draw(session.answers.get(id));
	return [
		picture,
		zones.length > 0 && p('help', say(levels.length > 1 ? 'map.darker' : 'map.shaded')),
		said,
		h('label', {class: 'slide'}, say('map.across'), across),
		h('label', {class: 'slide'}, say('map.up'), up),
		degrees &&
			navigator.geolocation && [p('buttons', button('map.here', locate, 'plain')), p('help', say('map.hereHelp'))],
		found,
	];
}

/** Where there is no outline: ten lines each way. */
const grid = (width, height) =>
	Array.from({length: 9}, (_, place) => (place + 1) / 10).flatMap(share => [
		svg('polyline', {class: 'grid', points: `${width * share} 0 ${width * share} ${height}`}),
		svg('polyline', {class: 'grid', points: `0 ${height * share} ${width} ${height * share}`}),
	]);
