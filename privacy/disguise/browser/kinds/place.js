// A place on a map of whole cells: your device sends a cell of a square around yours, or now and then one from anywhere
// in the zones. Without `zones` the whole map is one. A place outside the zones is sent as it is, or as one in a zone.
// Zones with levels have a coin and a weight of their own behind their four lengths.

import {below, insist, isWhole, ofPeople, ONE} from '../chances.js';

const sizeOf = ({items: [{width, height, cell}]}) => [width, height].map(length => Math.round(length / cell));

const zonesOf = block => block.zones ?? [[0, 0, ...sizeOf(block)]];

const cellsOf = block => zonesOf(block).reduce((sum, [, , width, height]) => sum + width * height, 0);

const drawnOf = block => zonesOf(block).reduce((sum, zone) => sum + numbersOf(zone), 0);

/** How many numbers lead to a zone: as many as it weighs for each cell. */
const numbersOf = ([, , width, height, , weight = 1]) => width * height * weight;

const isIn = ([left, bottom, width, height], x, y) =>
	x >= left && x < left + width && y >= bottom && y < bottom + height;

const isApart = ([a, b, c, d], [left, bottom, width, height]) =>
	a + c <= left || left + width <= a || b + d <= bottom || bottom + height <= b;

export function check(block) {
	const {place, side, near, items} = block;
	const [zones, [columns, rows]] = [zonesOf(block), sizeOf(block)];
	insist(
		items.length === 1 && isWhole(columns, 1, 2 ** 16) && isWhole(rows, 1, 2 ** 16) && columns * rows < ONE,
		'a map has no such size',
	);
	insist(
		(place === 'zones') === Boolean(block.zones) && zones.length && isWhole(near, 1, ONE - 1) && isWhole(side, 1, ONE),
		'a square has no such numbers',
	);
	insist(
		zones.every(
			([left, bottom, width, height], number) =>
				isWhole(left, 0, columns - side) &&
				isWhole(bottom, 0, rows - side) &&
				isWhole(width, side, columns - left) &&
				isWhole(height, side, rows - bottom) &&
				zones.slice(number + 1).every(other => isApart(zones[number], other)),
		),
		'its zones do not lie on the map side by side',
	);
	const coins = zones.map(([, , , , coin = near]) => coin);
	insist(
		zones.every(zone => zone.length === zones[0].length && [4, 6].includes(zone.length)) &&
			zones.every(([, , , , coin = near, weight = 1]) => isWhole(coin, 0, near) && isWhole(weight, 1, ONE)) &&
			coins.includes(near) &&
			drawnOf(block) < ONE,
		'its zones have no such levels',
	);
}

/** The coin, two words for the cell of the square and one for the cell of all zones, by weights, used or not. */
export function disguise(block, items, [truth], take) {
	const {near, side} = block;
	const [, rows] = sizeOf(block);
	const [x, y] = [Math.floor(truth / rows), truth % rows];
	const zone = zonesOf(block).find(one => isIn(one, x, y));
	const isNear = take() < (zone?.[4] ?? near);
	const [across, up, anywhere] = [below(side, take), below(side, take), below(drawnOf(block), take)];
	const first = (at, begin, length) => Math.min(Math.max(at - Math.floor(side / 2), begin), begin + length - side);
	if (!isNear) return [cellOf(block, anywhere)];
	return [zone ? (first(x, zone[0], zone[2]) + across) * rows + first(y, zone[1], zone[3]) + up : truth];
}

/** A cell of the zones, counted through zone by zone. */
function cellOf(block, number) {
	let left = number;
	const [begin, bottom, , height, , weight = 1] = zonesOf(block).find(zone => {
		const isHere = left < numbersOf(zone);
		if (!isHere) left -= numbersOf(zone);
		return isHere;
	});
	const cell = Math.floor(left / weight);
	return (begin + Math.floor(cell / height)) * sizeOf(block)[1] + bottom + (cell % height);
}

/** What a question for it asks, too. */
export const answers = ({width, height, cell}) => [width, height, cell];

export const fits = (item, code, block) =>
	isWhole(code, 0, sizeOf(block).reduce((columns, rows) => columns * rows) - 1);
export function codeOf(item, text, block) {
	const [x, y] = text.split(':').map(Number);
	return x * sizeOf(block)[1] + y;
}
export function textOf(item, code, block) {
	const [, rows] = sizeOf(block);
	return `${Math.floor(code / rows)}:${code % rows}`;
}

const coversMap = block => cellsOf(block) === sizeOf(block).reduce((columns, rows) => columns * rows);

/** How often a place of anywhere is sent, how far a place near is away, and what is not hidden. */
export const explain = blocks =>
	blocks.map(block => {
		const figures = elsewhere(block);
		const side = `${Number((block.side * block.items[0].cell).toPrecision(6))}`;
		return [
			[block],
			coversMap(block)
				? [[words.square, {...figures, side}]]
				: [inZones(block, {...figures, side}), [words.open, figures]],
		];
	});

/** How often a place of the zones is sent from another place of them, at most. */
export function factors(block) {
	const factor = ([, , , , near = block.near, weight = 1]) => {
		const far = BigInt(weight) * BigInt(block.side) ** 2n;
		return {
			over: BigInt(near) * BigInt(drawnOf(block)) + BigInt(ONE - near) * far,
			under: BigInt(ONE - block.near) * far,
		};
	};
	return zonesOf(block)
		.map(factor)
		.sort((one, other) => (one.over * other.under > other.over * one.under ? -1 : 1))
		.slice(0, 1);
}

/** How many people with another place send this one, too, at least; none of a place outside the zones. */
export function others(block, {code}) {
	const [, rows] = sizeOf(block);
	const zone = zonesOf(block).find(one => isIn(one, Math.floor(code / rows), code % rows));
	return [BigInt(ONE - block.near) * BigInt(zone ? (zone[5] ?? 1) : 0), BigInt(ONE) * BigInt(drawnOf(block))];
}

/** How many of the people outside the zones send a place in them instead; nothing is open where zones cover the map. */
export const open = block => !coversMap(block) && elsewhere(block);

/** How often a place in a zone is sent as one of anywhere: where zones have levels, least and most often. */
function inZones(block, figures) {
	const least = Math.min(...zonesOf(block).map(([, , , , near = block.near]) => near));
	if (least === block.near) return [words.zones, figures];
	const {
		of,
		some: [some, most],
	} = ofPeople([block.near, least].map(near => [BigInt(ONE - near), BigInt(ONE)]));
	return [words.levels, {...figures, of, some, most}];
}

function elsewhere({near}) {
	const {
		of,
		some: [some],
	} = ofPeople([[BigInt(ONE - near), BigInt(ONE)]]);
	return {of, some};
}

/** The names of its texts in each language. */
export const words = {
	how: 'place.how',
	square: 'place.square',
	zones: 'place.zones',
	levels: 'place.levels',
	open: 'place.open',
	together: 'place.together',
	believed: 'place.believed',
	second: 'place.second',
	sent: 'place.sent',
	stored: 'place.stored',
	others: 'place.others',
};
