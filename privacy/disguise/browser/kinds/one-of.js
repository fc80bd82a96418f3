// A one-of block sends one word of a public list, or nothing. Each word that is true of you has a chance of its own.

import {draw, insist, isWhole, ONE} from '../chances.js';
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
	const {'one-of': cap, losses = []} = block;
	insist(isWhole(cap, sum(losses.map(added)), blankOf(block) - 1), 'its cap leaves nothing for the blank');
}

const blankOf = ({words, losses = []}) => ONE - sum([...words, ...losses].map(({base}) => base));

/** The answers that show each word, each loss word, and nothing. */
function recordsOf({items, words, losses = []}) {
	const harmless = items.map(harmlessOf);
	return [
		...words.map(({parts}) => harmless.map((code, place) => new Map(parts).get(place) ?? code)),
		...losses.map((_, loss) => harmless.map((code, place) => (place === loss - 1 ? code : Number(code === 0)))),
		harmless,
	];
}

/** What own words keep of what they add, and what each loss word adds for the rest. */
function keptOf({'one-of': cap, losses = []}, own) {
	const all = sum(own.map(added));
	if (all <= cap) return {share: SCALE, measured: losses.map(() => 0n)};
	const lost = losses.map(
		({length, lost: always}) => always + sum(own.map(({parts, lost}) => (parts.length === length ? lost : 0))),
	);
	const kept = losses.map(loss => BigInt(loss.kept));
	return scaled(cap, losses, all, kept, lost);
}

const chanceOf = (word, {share}) => word.base + Number((BigInt(added(word)) * share) / SCALE);

function chances(block, truth) {
	const {words, losses = []} = block;
	const own = new Set(words.filter(word => isTrue(word, truth)));
	const kept = keptOf(block, [...own]);
	const shares = words.map(word => (own.has(word) ? chanceOf(word, kept) : word.base));
	shares.push(...losses.map(({base}, loss) => base + Number(kept.measured[loss])));
	return [...shares, ONE - sum(shares)];
}

export const disguise = (block, _items, truth, take) => recordsOf(block)[draw(chances(block, truth), take)];

export const explain = blocks => explainWords(blocks, blankOf, block => block['one-of'], words);

/** The most that the chance of a word can be. It is likeliest from a person of whom nothing else is true, but above the
 * cap numbers are rounded. */
function mostOf({words, losses = [], ...block}, word, record) {
	if (word.parts.length === 1 || word.least) return word.own;
	const own = words.filter(other => isTrue(other, record));
	const rounded = losses.length + 2 + Math.floor(added(word) / Number(SCALE));
	return Math.min(word.own, chanceOf(word, keptOf({...block, losses}, own)) + rounded);
}

/** The largest quotient of own and base chance, or of sending nothing below and at the cap. */
export function factors(block) {
	const {'one-of': cap, words, losses = []} = block;
	const records = recordsOf(block);
	const blank = blankOf(block);
	const most = [
		...words.map((word, place) => mostOf(block, word, records[place])),
		...losses.map(({own}) => own),
		blank,
	];
	const least = [...[...words, ...losses].map(({base}) => base), blank - Math.min(cap, sum(words.map(added)))];
	return largest(most, least);
}

/** The word that a record names; none for a loss word, and where nothing was sent. */
const wordOf = ({items, words}, sent) =>
	words.find(({parts}) => {
		const own = new Map(parts);
		return items.every((item, place) => sent[place] === (own.get(place) ?? harmlessOf(item)));
	});

/** The places of the answers that it names. */
const named = (block, sent) => wordOf(block, sent)?.parts.map(([place]) => place) ?? [];

export function shows(block, sent) {
	const places = named(block, sent);
	return block.items.map((_, place) => places.includes(place));
}

const isBlank = ({items}, sent) => items.every((item, place) => sent[place] === harmlessOf(item));

export const blank = (block, sent) => isBlank(block, sent) && {};
export function least(block, sent) {
	const word = wordOf(block, sent);
	return word?.least && {least: word.least};
}
export const many = (block, sent) => !isBlank(block, sent) && !named(block, sent).length && {};

/** What stands for questions that are not asked in practice. */
export const usual = harmlessOf;

/** How many people of whom a single answer is not true send a word that shows it, too: alone, or with others. */
export const others = ({items, words, losses = []}, {id, code}) => {
	const place = items.findIndex(item => item.id === id);
	const records = recordsOf({items, words, losses});
	const sent = [...words, ...losses].filter((_, number) => records[number][place] === code);
	return code !== harmlessOf(items[place]) && sent.length > 0 && [BigInt(sum(sent.map(({base}) => base))), BigInt(ONE)];
};

export const changes = false;

export const origin = (block, sent) => (isBlank(block, sent) ? NAMES.none : NAMES.perhaps);

export const words = {...NAMES, how: 'one-of.how'};
