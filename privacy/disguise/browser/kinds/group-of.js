// A group-of block sends one group of the words of a public list, or nothing. Words are sets of telling answers, and
// each is in one group of every seed. Groups of your own words come more often, and add at most the cap, `group-of`, to
// their base chances. A loss word says that they would add more. What is sent is a number, written as answers.

import {draw, insist, isWhole, ONE, paired, product} from '../chances.js';

const SCALE = 2n ** 30n;

export function check(block) {
	const {'group-of': cap, items, words, losses = [], groups} = block;
	const fits = ([place, code]) =>
		isWhole(code, 0, items[place]?.options.length - 1) && code !== harmlessOf(items[place]);
	insist(
		items.every(item => harmlessOf(item) >= 0) && words.every(({parts}) => parts.length && parts.every(fits)),
		'a word or question has no harmless answer',
	);
	const [{base, own}] = words;
	insist(
		[...words, ...losses].every(one => isWhole(one.base, 1, ONE) && isWhole(one.own, one.base + 1, ONE)) &&
			words.every(word => word.base === base && word.own === own),
		'a group has no chances of its own',
	);
	const numbers = product(items.map(({options}) => BigInt(options.length)));
	insist(
		isWhole(groups, 2, 127) && groups ** 2 >= words.length && numbers > countOf(block) + losses.length,
		'its groups do not fit the words',
	);
	insist(losses.length < 2 && isWhole(cap, addedOf(block), blankOf(block) - 1), 'its cap leaves nothing for the blank');
	insist(knownOf(block) > 0n, 'its cap takes all groups');
}

const harmlessOf = ({options, harmless}) => options.indexOf(harmless);
const addedOf = ({words: [{base, own}]}) => own - base;
const countOf = ({groups}) => groups * (groups + 1);
const sum = numbers => numbers.reduce((total, number) => total + number, 0);
const basesOf = block => [
	...Array(countOf(block)).fill(block.words[0].base),
	...(block.losses ?? []).map(({base}) => base),
];
const blankOf = block => ONE - sum(basesOf(block));

/** The groups of a word, one of each seed. Each two words share exactly one: `groups` is a prime. */
function groupsOf(word, groups) {
	const u = word % groups; // words that follow each other lie on a parabola
	const v = (u ** 2 + Math.floor(word / groups)) % groups;
	const seeds = [...Array(groups).keys()];
	return [...seeds.map(seed => seed * groups + ((v + seed * u) % groups)), groups ** 2 + u];
}

/** What is known of one own word, times the number of its groups. */
const knownOf = block => BigInt(addedOf(block) * (block.groups + 1) ** 2 - block['group-of']);

/** A number as answers, 0 as the harmless ones; the first question has the lowest digit. */
function written(number, items) {
	let rest = number;
	return items.map(item => {
		const base = item.options.length;
		const digit = rest % base;
		rest = (rest - digit) / base;
		return (harmlessOf(item) + digit) % base;
	});
}

/** The chance of each group, of the loss word, and of nothing. */
function chances(block, truth) {
	const {'group-of': cap, words, losses = [], groups} = block;
	const isOwn = ({parts}) => parts.every(([place, code]) => truth[place] === code);
	const mine = new Set(words.flatMap((word, number) => (isOwn(word) ? groupsOf(number, groups) : [])));
	const each = BigInt(addedOf(block));
	const rest = BigInt((groups + 1) ** 2 - mine.size);
	const [limit, total] = [BigInt(cap), BigInt(mine.size) * each];
	let more = knownOf(block) / rest; // one word tells the same, however many others are true
	let lost = 0n;
	if (total > limit) {
		const [{base, own, lost: always, kept: whole}] = losses.length ? losses : [{base: 0, own: 0, lost: 0, kept: 0}];
		const kept = (BigInt(whole) * each * rest) / knownOf(block);
		const most = BigInt(own - base);
		lost = SCALE * total > kept * limit ? BigInt(always) : 0n;
		let share = limit > lost ? (SCALE * SCALE * (limit - lost)) / (SCALE * total - lost * kept) : 0n;
		lost = (lost * larger(SCALE * SCALE - kept * share, 0n)) / (SCALE * SCALE);
		if (lost > most) {
			lost = most;
			share = (SCALE * (limit - lost)) / total;
		}
		more = (each * share) / SCALE;
	}
	const shares = basesOf(block);
	for (const group of mine) shares[group] += Number(more);
	if (losses.length) shares[countOf(block)] += Number(lost);
	return [...shares, ONE - sum(shares)];
}

const larger = (one, other) => (one > other ? one : other);

export function disguise(block, _items, truth, take) {
	const shares = chances(block, truth);
	return written((draw(shares, take) + 1) % shares.length, block.items);
}

/** How many without an own word send one all the same; how many at the cap send nothing. */
export const explain = blocks => {
	const most = Math.max(...blocks.flatMap(block => block.words.map(({parts}) => parts.length)));
	const sends = blocks.map(block => [[BigInt(ONE - blankOf(block)), BigInt(ONE)]]);
	const nothing = blocks.map(block => [[BigInt(blankOf(block) - block['group-of']), BigInt(ONE)]]);
	const texts = [
		[words.one, {count: sum(blocks.map(({items}) => items.length))}],
		...(most > 1 ? [[words.together, {most}]] : []),
		[words.instead, {}],
		...paired([[words.sends, {}]], sends),
		...paired([[words.nothing, {}]], nothing),
	];
	return [[blocks, texts]];
};

/** The largest quotient of own and base chance, or of sending nothing below and at the cap. */
export function factors({sent, ...block}) {
	const {'group-of': cap, words, losses = [], groups} = block;
	const blank = blankOf(block);
	const named = new Set(words.flatMap((_, word) => groupsOf(word, groups)));
	const least = [...basesOf(block), blank - Math.min(cap, named.size * addedOf(block))];
	const most = [...Array(countOf(block)).fill(words[0].own), ...losses.map(({own}) => own), blank];
	return most
		.map((over, place) => ({place, over: BigInt(over), under: BigInt(least[place])}))
		.filter(({place}) => !sent || `${written((place + 1) % most.length, block.items)}` === `${sent}`)
		.sort((one, other) => (one.over * other.under > other.over * one.under ? -1 : 1))
		.slice(0, 1);
}

/** No answer is sent. */
export const shows = ({items}) => items.map(() => false);

/** The number that was sent; 0 for nothing. */
function numberOf({items}, sent) {
	let radix = 1;
	return sum(
		items.map((item, place) => {
			const base = item.options.length;
			const digit = (sent[place] - harmlessOf(item) + base) % base;
			radix *= base;
			return (digit * radix) / base;
		}),
	);
}

export const blank = (block, sent) => numberOf(block, sent) === 0 && {};
export const many = (block, sent) => numberOf(block, sent) > countOf(block) && {};
export const group = (block, sent) => !blank(block, sent) && !many(block, sent) && {number: `${numberOf(block, sent)}`};

/** What stands for questions that are not asked in practice. */
export const usual = harmlessOf;

export const changes = false;

/** The names of its texts in each language. */
export const words = {
	how: 'one-of.how',
	one: 'one-of.one',
	together: 'one-of.together',
	instead: 'one-of.instead',
	sends: 'one-of.sends',
	nothing: 'one-of.nothing',
	arrived: 'one-of.arrived',
	group: 'one-of.group',
	blank: 'one-of.blank',
	many: 'one-of.many',
};
