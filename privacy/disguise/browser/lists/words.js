// What kinds share that send one word of a public list, or a group of its words, or nothing. A word is a set of telling
// answers. What your own words add to their base chances is at most the cap; above it all are scaled alike, and loss
// words say so.

import {insist, isWhole, ONE, paired} from '../chances.js';

export const SCALE = 2n ** 30n;

export const harmlessOf = ({options, harmless}) => options.indexOf(harmless);
export const added = ({base, own}) => own - base;
export const sum = numbers => numbers.reduce((total, number) => total + number, 0);
const bigSum = numbers => numbers.reduce((total, number) => total + number, 0n);
const larger = (one, other) => (one > other ? one : other);

export function checkWords({items, words, losses = []}) {
	insist(
		items.every(item => harmlessOf(item) >= 0),
		'a question has no harmless answer',
	);
	const fits = ([place, code]) =>
		isWhole(place, 0, items.length - 1) &&
		isWhole(code, 0, items[place].options.length - 1) &&
		code !== harmlessOf(items[place]);
	insist(
		words.every(({parts}) => parts.length && parts.every(fits)),
		'a word holds a harmless answer',
	);
	insist(
		words.every(({parts, least = 1}) => isWhole(least, 1, parts.length)),
		'a word needs more answers than it has',
	);
	insist(
		[...words, ...losses].every(
			({base, own, lost}) => isWhole(base, 1, ONE) && isWhole(own, base + 1, ONE) && lost >= 0,
		),
		'a word has no chances of its own',
	);
}

/** Of a word with a threshold at least so many answers are true, of another all. */
export const isTrue = ({parts, least = parts.length}, truth) =>
	parts.filter(([place, code]) => truth[place] === code).length >= least;

/**
 * The share of what they add that is left to own words that add `total`, above the cap, and what each loss word adds:
 * what `lost` says of each, for what is not kept. `kept` says how much of it a kept share counts.
 */
export function scaled(cap, losses, total, kept, lost) {
	const [limit, all] = [BigInt(cap), BigInt(total)];
	const begun = losses.map((_, loss) => (SCALE * all > kept[loss] * limit ? BigInt(lost[loss]) : 0n));
	const left = limit - bigSum(begun);
	const share =
		left > 0n ? (SCALE * SCALE * left) / (SCALE * all - bigSum(begun.map((one, loss) => one * kept[loss]))) : 0n;
	const most = losses.map(loss => BigInt(added(loss)));
	const measured = begun.map((one, loss) => (one * larger(SCALE * SCALE - kept[loss] * share, 0n)) / (SCALE * SCALE));
	if (measured.every((one, loss) => one <= most[loss])) return {share, measured};
	const ends = measured.map((one, loss) => -larger(-one, -most[loss]));
	return {share: (SCALE * (limit - bigSum(ends))) / all, measured: ends};
}

/** Of each list, how many without an own word send one all the same, and how many at the cap send nothing. */
export const explainWords = (blocks, blankOf, capOf, names) =>
	blocks.map(block => {
		const most = Math.max(...block.words.map(({parts}) => parts.length));
		const {least} = block.words.find(({parts}) => parts.length === most);
		const texts = [
			[names.one, {count: block.items.length}],
			...(most > 1 ? [[names.together, {most}]] : []),
			...(least ? [[names.least, {least}]] : []),
			...(names.instead ? [[names.instead, {}]] : []),
			...paired([[names.sends, {}]], [[[BigInt(ONE - blankOf(block)), BigInt(ONE)]]]),
			...paired([[names.nothing, {}]], [[[BigInt(blankOf(block) - capOf(block)), BigInt(ONE)]]]),
		];
		return [[block], texts];
	});

/** Of what is likeliest at `most` and at `least`: the largest quotient. */
export const largest = (most, least) =>
	most
		.map((over, place) => ({over: BigInt(over), under: BigInt(least[place])}))
		.sort((one, other) => (one.over * other.under > other.over * one.under ? -1 : 1))
		.slice(0, 1);

/** The names of texts in each language. */
export const NAMES = {
	one: 'one-of.one',
	together: 'one-of.together',
	least: 'one-of.least',
	sends: 'one-of.sends',
	nothing: 'one-of.nothing',
	blank: 'one-of.blank',
	many: 'one-of.many',
	perhaps: 'one-of.perhaps',
	none: 'one-of.none',
};
