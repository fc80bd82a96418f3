// A coin block keeps your true answers with the chance `keep`; otherwise each is replaced by one drawn from its
// `noise`, whatever you said. With "coin": "each", every answer has a coin of its own.

import {draw, insist, isShares, isWhole, NO, ONE, paired, product, stored, YES} from '../chances.js';

export function check({keep, items}) {
	insist(isWhole(keep, 0, ONE), 'a coin has no chance between 0 and 1');
	insist(
		items.every(({noise, options}) => isShares(noise, options.length)),
		'its noise does not add up to 1',
	);
}

/** The coins, then a word of noise for every answer, used or not. */
export function disguise({keep, coin}, items, truth, take) {
	const each = coin === 'each';
	const coins = each ? items.map(() => take()) : [take()];
	const noise = items.map(item => draw(item.noise, take));
	return truth.map((answer, place) => (coins[each ? place : 0] < keep ? answer : noise[place]));
}

/** 1 + keep / ((1 - keep) * rarest), `rarest` the chance of the least likely noise; with a coin each, for each item. */
export function factors({items, keep, ask = items.length, coin}) {
	const rarest = items.map(({noise}) => BigInt(Math.min(...noise)));
	const least = rarest.sort((a, b) => Number(a - b)).slice(0, ask);
	const [one, kept] = [BigInt(ONE), BigInt(keep)];
	if (kept === 0n) return [];
	const factor = (share, all) => ({over: (one - kept) * share + kept * all, under: (one - kept) * share});
	if (coin === 'each') return least.map(share => factor(share, one));
	return [factor(product(least), one ** BigInt(least.length))];
}

/** By noise alone a yes/no answer is stored as the other one, or any option as another one. */
export function explain(blocks) {
	const all = blocks.flatMap(({keep, items}) => items.map(item => ({...item, away: BigInt(ONE - keep)})));
	const pair = (away, ...shares) => shares.map(share => [away * BigInt(share), BigInt(ONE) ** 2n]);
	const isYesNo = ({options}) => `${options}` === '0,1';
	const yesNo = all.filter(isYesNo).map(({noise: [no, yes], away}) => pair(away, yes, no));
	const others = all
		.filter(item => !isYesNo(item))
		.flatMap(({noise, away}) => noise.map(share => pair(away, ONE - share, share)));
	return [
		[blocks, [...paired([stored(NO, YES), stored(YES, NO)], yesNo), ...paired([[words.away], [words.here]], others)]],
	];
}

/** How many people with another answer send this one, too. */
export const others = ({keep}, {noise, code}) => [BigInt(ONE - keep) * BigInt(noise[code]), BigInt(ONE) ** 2n];

export const note = ({coin, items, ask: count = items.length}) => coin !== 'each' && count > 1 && {count};

/** The names of its texts in each language. */
export const words = {how: 'coin.how', away: 'coin.away', here: 'coin.here', note: 'coin.note'};
