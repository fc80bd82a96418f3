// A flip block turns over some of your yes/no answers, each set of so many as likely: `flips` are the chances of none,
// one, two, and so on.

import {choose, draw, insist, isShares, NO, ONE, paired, product, stored, YES} from '../chances.js';

export function check({flips, items, ask = items.length}) {
	insist(isShares(flips, ask + 1), 'its flips do not add up to 1');
	insist(
		items.every(({options}) => options.length === 2),
		'only yes/no answers can be turned over',
	);
}

/** How many answers to turn over, then which. */
export function disguise({flips}, items, truth, take) {
	const turned = choose(draw(flips, take), truth.length, take);
	return truth.map((answer, place) => (turned[place] ? 1 - answer : answer));
}

/** The largest over the smallest chance of one set of turned answers: flips[d] is shared by C(s, d) sets; over `all`. */
export function factors({flips}) {
	const sets = [1n];
	flips.slice(1).forEach((_, d) => sets.push((sets[d] * BigInt(flips.length - 1 - d)) / BigInt(d + 1)));
	const all = product(sets);
	const chances = flips.map((share, d) => (BigInt(share) * all) / sets[d]).sort((a, b) => (a < b ? -1 : 1));
	return [{over: chances.at(-1), under: chances[0]}];
}

/** The mean share of the answers that is turned over: so often is one. */
const turnedOf = ({flips}) => [
	flips.reduce((sum, share, turned) => sum + BigInt(turned) * BigInt(share), 0n),
	BigInt(flips.length - 1) * BigInt(ONE),
];

/** How often one answer is turned over; of blocks where that is more often than not, how often it is not. */
export const explain = blocks =>
	[
		[stored(NO, YES), stored(YES, NO)],
		[stored(NO, NO), stored(YES, YES)],
	]
		.map((texts, mostly) => {
			const side = blocks.filter(
				block => turnedOf(block).reduce((over, under) => 2n * over > under) === Boolean(mostly),
			);
			const shares = side.map(turnedOf).map(([over, under]) => [mostly ? under - over : over, under]);
			return [
				side,
				paired(
					texts,
					shares.map(share => [share, share]),
				),
			];
		})
		.filter(([side]) => side.length);

/** How many people with the other answer send this one, too. */
export const others = turnedOf;

/** The names of its texts in each language. */
export const words = {how: 'flips.how'};
