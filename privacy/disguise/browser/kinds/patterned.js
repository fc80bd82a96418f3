// A patterned block turns over some of your yes/no answers. They stand in a public order, and `patterned` are the
// chances of each set of places of that order: none, the first, the second, both, the third, and so on.

import {draw, insist, isShares, NO, ONE, paired, stored, YES} from '../chances.js';

const MOST = 5;
const LONGEST = 3; // parts of a set that the even order looks at

export function check({patterned, order, items, ask = items.length}) {
	insist(order === undefined || order === 'even', 'its order is not known');
	insist(ask <= MOST && isShares(patterned, 2 ** ask), 'its table of patterns does not add up to 1');
	insist(
		items.every(({options}) => options.length === 2),
		'only yes/no answers can be turned over',
	);
}

/** How many sets of so many out of so many there are. */
const sets = (of, size) => (size ? (sets(of - 1, size - 1) * of) / size : 1);

const factorial = size => (size ? size * factorial(size - 1) : 1);

/** The place of each rank in the order with this number; orders are numbered as words in a dictionary. */
function placesIn(order, size) {
	const ranks = [...Array(size).keys()];
	const places = [];
	let orders = factorial(size);
	let left = order % orders;
	for (let place = 0; place < size; place++) {
		orders /= size - place;
		places[ranks.splice(Math.floor(left / orders), 1)[0]] = place;
		left %= orders;
	}
	return places;
}

/** All parts of so many ranks with `LONGEST` of them at most. */
function partsOf(size) {
	const parts = [...Array(2 ** size).keys()].map(set => [...Array(size).keys()].filter(rank => (set >> rank) & 1));
	return parts.filter(part => part.length && part.length <= LONGEST);
}

/**
 * The even order: sets are gone through by their numbers, and each has the order in which its parts have stood at their
 * places least often so far, those of several items counted three times; of several the first
 * (privacy/design/channels/orders.py).
 */
function evenPlaces(count, size, number) {
	const orders = Array.from({length: factorial(size)}, (_, order) => placesIn(order, size));
	const parts = partsOf(size);
	const weights = parts.map(part => (part.length > 1 ? 3 : 1));
	const at = orders.map(places => parts.map(part => part.reduce((mask, rank) => mask | (1 << places[rank]), 0)));
	const stood = new Uint16Array(((count + 1) ** Math.min(size, LONGEST)) << size);
	const set = [...Array(size).keys()];
	for (let reached = 0; ; reached++) {
		const names = parts.map(part => part.reduceRight((name, rank) => name * (count + 1) + set[rank] + 1, 0) << size);
		let best = 0;
		let least = Infinity;
		at.forEach((masks, order) => {
			const often = masks.reduce((sum, mask, part) => sum + weights[part] * stood[names[part] + mask], 0);
			if (often < least) [best, least] = [order, often];
		});
		if (reached === number) return orders[best];
		at[best].forEach((mask, part) => {
			stood[names[part] + mask]++;
		});
		const next = set.findIndex((item, rank) => item + 1 !== set[rank + 1]);
		set[next]++;
		for (let rank = 0; rank < next; rank++) set[rank] = rank;
	}
}

/**
 * The place of each item asked in the order. What can be asked together has a number; set r stands in order r mod the
 * number of orders, or in its even order. Who knows what was asked knows the order.
 */
function placesOf({order, items}, here) {
	const number = here.reduce((sum, item, rank) => sum + sets(items.indexOf(item), rank + 1), 0);
	return order ? evenPlaces(items.length, here.length, number) : placesIn(number, here.length);
}

/** Which set of places to turn over. */
export function disguise(block, here, truth, take) {
	const turned = draw(block.patterned, take);
	return placesOf(block, here).map((place, rank) => ((turned >> place) & 1 ? 1 - truth[rank] : truth[rank]));
}

/** The largest over the smallest chance: every set of places lies between what is sent and some true answers. */
export const factors = ({patterned}) => [{over: BigInt(Math.max(...patterned)), under: BigInt(Math.min(...patterned))}];

/** How often the answer at each place is turned over. */
function turnedOf({patterned, items, ask = items.length}) {
	const at = place => patterned.reduce((sum, share, set) => sum + ((set >> place) & 1 ? share : 0), 0);
	return [...Array(ask).keys()].map(place => [BigInt(at(place)), BigInt(ONE)]);
}

/** How often one answer is turned over, at the place that hides it least. */
export const explain = blocks => [
	[
		blocks,
		paired(
			[stored(YES, NO), stored(NO, YES)],
			blocks.flatMap(turnedOf).map(share => [share, share]),
		),
	],
];

/** How many people with the other answer send this one, too: at the place that hides it least. */
export const others = block => turnedOf(block).reduce((least, share) => (share[0] < least[0] ? share : least));

/** The names of its texts in each language. */
export const words = {how: 'flips.how'};
