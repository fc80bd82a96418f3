// A group-of block sends one group of the words of a public list, or nothing. Each word is in one group of every seed.
// Groups of your own words come more often. What is sent is a number, written as answers.

import {draw, insist, isWhole, ONE, product} from '../chances.js';
import {
	added,
	checkWords,
	explainWords,
	harmlessOf,
	isTrue,
	largest,
	NAMES,
	SCALE,
	scaled,
	sum,
} from '../lists/words.js';

export function check(block) {
	checkWords(block);
	const {'group-of': cap, items, words, losses = [], groups} = block;
	const [{base, own}] = words;
	insist(
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

const addedOf = ({words: [word]}) => added(word);
const countOf = ({groups}) => groups * (groups + 1);
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
	const mine = new Set(words.flatMap((word, number) => (isTrue(word, truth) ? groupsOf(number, groups) : [])));
	const each = BigInt(addedOf(block));
	const rest = BigInt((groups + 1) ** 2 - mine.size);
	const total = mine.size * addedOf(block);
	let more = knownOf(block) / rest; // one word tells the same, however many others are true
	let lost = losses.map(() => 0n);
	if (total > cap) {
		// Beside what the cap takes, each own group tells less of a person who has more of them.
		const kept = losses.map(loss => (BigInt(loss.kept) * each * rest) / knownOf(block));
		const always = losses.map(loss => loss.lost);
		const {share, measured} = scaled(cap, losses, total, kept, always);
		more = (each * share) / SCALE;
		lost = measured;
	}
	const shares = basesOf(block);
	for (const group of mine) shares[group] += Number(more);
	for (const one of lost) shares[countOf(block)] += Number(one);
	return [...shares, ONE - sum(shares)];
}

export function disguise(block, _items, truth, take) {
	const shares = chances(block, truth);
	return written((draw(shares, take) + 1) % shares.length, block.items);
}

export const explain = blocks => explainWords(blocks, blankOf, block => block['group-of'], words);

/** The largest quotient of own and base chance, or of sending nothing below and at the cap. */
export function factors(block) {
	const {'group-of': cap, words, losses = [], groups} = block;
	const blank = blankOf(block);
	const named = new Set(words.flatMap((_, word) => groupsOf(word, groups)));
	const least = [...basesOf(block), blank - Math.min(cap, named.size * addedOf(block))];
	const most = [...Array(countOf(block)).fill(words[0].own), ...losses.map(({own}) => own), blank];
	return largest(most, least);
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

export const origin = (block, sent) => (numberOf(block, sent) === 0 ? NAMES.none : NAMES.perhaps);

/** What stands for questions that are not asked in practice. */
export const usual = harmlessOf;

export const changes = false;

export const words = {...NAMES, how: 'one-of.how', instead: 'one-of.instead', group: 'one-of.group'};
