// A coin that knows what it asks: each set of questions that you may be asked has a coin of its own. It keeps your
// answers as often as this gamma lets it. With more options, noise gives each more rarely, and the coin keeps less.

import {insist, isWhole, ONE, product} from '../chances.js';
import * as coin from './coin.js';

export function check(block) {
	insist(isWhole(block['by-gamma'], ONE + 1, ONE * 2 ** 16), 'its coins go by no gamma');
	coin.check({...block, keep: 0});
}

/** The coin of items whose rarest noise is q: (gamma - 1) * q / (1 + (gamma - 1) * q), rounded down. */
function coinOf({'by-gamma': gamma}, items) {
	const more = BigInt(gamma - ONE) * product(items.map(({noise}) => BigInt(Math.min(...noise))));
	return {keep: Number((BigInt(ONE) * more) / (BigInt(ONE) ** BigInt(items.length + 1) + more)), items};
}

/** The sets of so many items, one of each kind: items with as many options are alike. */
function setsOf([first, ...rest], ask) {
	if (!ask || !first) return ask ? [] : [[]];
	const unlike = rest.filter(({options}) => options.length !== first.options.length);
	return [...setsOf(rest, ask - 1).map(items => [first, ...items]), ...setsOf(unlike, ask)];
}

const coinsOf = block => setsOf(block.items, block.ask ?? block.items.length).map(items => coinOf(block, items));

/** One coin, then a word of noise for every answer, used or not. */
export const disguise = (block, items, truth, take) => coin.disguise(coinOf(block, items), items, truth, take);

/** The odds of the coin that spends most; rounding leaves each a little below gamma. */
export const factors = block =>
	coinsOf(block)
		.flatMap(coin.factors)
		.sort((one, other) => (one.over * other.under > other.over * one.under ? -1 : 1))
		.slice(0, 1);

export function explain(blocks) {
	const [[, said]] = coin.explain(blocks.flatMap(coinsOf));
	return [[blocks, said]];
}

/** How many people with another answer send this one, too, at least. */
export function others(block, item) {
	const isAsked = ({items}) => items.some(({options}) => options.length === item.options.length);
	const keep = Math.max(
		...coinsOf(block)
			.filter(isAsked)
			.map(own => own.keep),
	);
	return coin.others({keep}, item);
}

export {note} from './coin.js';

/** The names of its texts in each language. */
export const words = {...coin.words, how: 'coin.how'};
