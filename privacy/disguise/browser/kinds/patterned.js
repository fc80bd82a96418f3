// A patterned block turns over some of your yes/no answers. They stand in a public order, and `patterned` are the
// chances of each set of places of that order: none, the first, the second, both, the third, and so on.

import {draw, insist, isShares, NO, ONE, paired, stored, YES} from '../disguise.js';

const MOST = 5;

export function check({patterned, items, ask = items.length}) {
	insist(ask <= MOST && isShares(patterned, 2 ** ask), 'its table of patterns does not add up to 1');
	insist(
		items.every(({options}) => options.length === 2),
		'only yes/no answers can be turned over',
	);
}

/** How many sets of so many out of so many there are. */
const sets = (of, size) => (size ? (sets(of - 1, size - 1) * of) / size : 1);

/**
 * The place of each item asked in the order. What can be asked together has a number, and so have the orders, as words
 * in a dictionary: set r stands in order r mod the number of orders. So whoever knows what was asked knows the order.
 */
function placesOf(items, here) {
	let orders = here.reduce((result, _, rank) => result * (rank + 1), 1);
	let order = here.reduce((sum, item, rank) => sum + sets(items.indexOf(item), rank + 1), 0) % orders;
	const ranks = [...here.keys()];
	const places = [];
	here.forEach((_, place) => {
		orders /= here.length - place;
		places[ranks.splice(Math.floor(order / orders), 1)[0]] = place;
		order %= orders;
	});
	return places;
}

/** Which set of places to turn over. */
export function disguise({patterned, items}, here, truth, take) {
	const turned = draw(patterned, take);
	return placesOf(items, here).map((place, rank) => ((turned >> place) & 1 ? 1 - truth[rank] : truth[rank]));
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

export const words = {
	how: {
		en: 'At Send chance turns some of your answers over, and nobody learns which.',
		'zh-hans': '“发送”时随机翻转您的部分回答，无人知道是哪些。',
	},
};
