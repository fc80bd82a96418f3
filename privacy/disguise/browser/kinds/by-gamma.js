// A coin that knows what it asks: you are asked one question of the block, and its coin keeps your answer as often as
// this gamma lets it. With more options, noise gives each more rarely, and the coin keeps less.

import {insist, isWhole, ONE} from '../chances.js';
import * as coin from './coin.js';

export function check(block) {
	const {'by-gamma': gamma, ask} = block;
	insist(isWhole(gamma, ONE + 1, ONE * 2 ** 16) && ask === 1, 'its coins go by no gamma for one question');
	coin.check({...block, keep: 0});
}

/** The coin of an item: (gamma - 1) * q / (1 + (gamma - 1) * q), rounded down, q the chance of its rarest noise. */
function coinOf({'by-gamma': gamma}, item) {
	const more = BigInt(gamma - ONE) * BigInt(Math.min(...item.noise));
	return {keep: Number((BigInt(ONE) * more) / (BigInt(ONE) ** 2n + more)), items: [item]};
}

const coinsOf = block => block.items.map(item => coinOf(block, item));

/** The coin of the item, then a word of noise, used or not. */
export const disguise = (block, items, truth, take) => coin.disguise(coinOf(block, items[0]), items, truth, take);

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

/** How many people with another answer send this one, too. */
export const others = (block, item) => coin.others(coinOf(block, item), item);

/** The names of its texts in each language. */
export const words = {how: 'coin.how', away: 'coin.away', here: 'coin.here'};
