// A one-of block sends one word of a public list, or nothing. A word is a set of telling answers. Your own words are
// true of you, and add at most the cap, `one-of`, to their base chances; above it all are scaled alike, and loss words
// say so.

import {draw, insist, isWhole, ONE, paired} from '../chances.js';

const SCALE = 2n ** 30n;

export function check({'one-of': cap, items, words, losses = []}) {
	const fits = ([place, code]) =>
		isWhole(place, 0, items.length - 1) && isWhole(code, 0, items[place].options.length - 1);
	insist(
		items.every(item => harmlessOf(item) >= 0),
		'a question has no harmless answer',
	);
	insist(
		words.every(({parts}) => parts.length && parts.every(part => fits(part) && part[1] !== harmlessOf(items[part[0]]))),
		'a word holds a harmless answer',
	);
	insist(
		[...words, ...losses].every(
			({base, own, lost}) => isWhole(base, 1, ONE) && isWhole(own, base + 1, ONE) && lost >= 0,
		),
		'a word has no chances of its own',
	);
	insist(isWhole(cap, sum(losses.map(added)), blankOf({words, losses}) - 1), 'its cap leaves nothing for the blank');
}

const harmlessOf = ({options, harmless}) => options.indexOf(harmless);
const added = ({base, own}) => own - base;
const sum = numbers => numbers.reduce((total, number) => total + number, 0);
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

function chances({'one-of': cap, words, losses = []}, truth) {
	const own = words.map(({parts}) => parts.every(([place, code]) => truth[place] === code));
	const all = sum(words.map((word, place) => (own[place] ? added(word) : 0)));
	let share = SCALE;
	let measured = losses.map(() => 0n);
	if (all > cap) {
		const [limit, total] = [BigInt(cap), BigInt(all)];
		const kept = losses.map(loss => BigInt(loss.kept));
		const lost = losses.map(({length, lost: always}, loss) => {
			const ofWords = words.map(({parts, lost}, place) => (own[place] && parts.length === length ? lost : 0));
			return SCALE * total > kept[loss] * limit ? BigInt(always + sum(ofWords)) : 0n;
		});
		const left = limit - bigSum(lost);
		share =
			left > 0n ? (SCALE * SCALE * left) / (SCALE * total - bigSum(lost.map((one, loss) => one * kept[loss]))) : 0n;
		const most = losses.map(loss => BigInt(added(loss)));
		measured = lost.map((one, loss) => (one * larger(SCALE * SCALE - kept[loss] * share, 0n)) / (SCALE * SCALE));
		if (measured.some((one, loss) => one > most[loss])) {
			measured = measured.map((one, loss) => -larger(-one, -most[loss]));
			share = (SCALE * (limit - bigSum(measured))) / total;
		}
	}
	const shares = words.map(
		(word, place) => word.base + (own[place] ? Number((BigInt(added(word)) * share) / SCALE) : 0),
	);
	shares.push(...losses.map(({base}, loss) => base + Number(measured[loss])));
	return [...shares, ONE - sum(shares)];
}

const bigSum = numbers => numbers.reduce((total, number) => total + number, 0n);
const larger = (one, other) => (one > other ? one : other);

export const disguise = (block, _items, truth, take) => recordsOf(block)[draw(chances(block, truth), take)];

/** The largest quotient of own and base chance, or of sending nothing below and at the cap. */
export function factors({sent, ...block}) {
	const {'one-of': cap, words, losses = []} = block;
	const records = recordsOf(block);
	const blank = blankOf(block);
	const most = [
		...records.slice(0, words.length).map((own, word) => chances(block, own)[word]),
		...losses.map(({own}) => own),
		blank,
	];
	const least = [...[...words, ...losses].map(({base}) => base), blank - Math.min(cap, sum(words.map(added)))];
	return records
		.map((record, place) => ({record, over: BigInt(most[place]), under: BigInt(least[place])}))
		.filter(({record}) => !sent || `${record}` === `${sent}`)
		.sort((one, other) => (one.over * other.under > other.over * one.under ? -1 : 1))
		.slice(0, 1);
}

/** How many without an own word send one all the same; how many at the cap send nothing. */
export const explain = blocks => {
	const most = Math.max(...blocks.flatMap(block => block.words.map(({parts}) => parts.length)));
	const sends = blocks.map(block => [[BigInt(ONE - blankOf(block)), BigInt(ONE)]]);
	const nothing = blocks.map(block => [[BigInt(blankOf(block) - block['one-of']), BigInt(ONE)]]);
	const texts = [
		[words.one, {count: sum(blocks.map(({items}) => items.length))}],
		...(most > 1 ? [[words.together, {most}]] : []),
		...paired([[words.sends, {}]], sends),
		...paired([[words.nothing, {}]], nothing),
	];
	return [[blocks, texts]];
};

/** The places of the answers that the word of a record names; none for a loss word, and where nothing was sent. */
const named = ({words, ...block}, sent) =>
	words.find((_, word) => `${recordsOf({words, ...block})[word]}` === `${sent}`)?.parts.map(([place]) => place) ?? [];

export const shows = (block, sent) => block.items.map((_, place) => named(block, sent).includes(place));

const isBlank = ({items}, sent) => items.every((item, place) => sent[place] === harmlessOf(item));

export const note = (block, sent) => !isBlank(block, sent) && named(block, sent).length > 0 && {};
export const blank = (block, sent) => isBlank(block, sent) && {};
export const many = (block, sent) => !isBlank(block, sent) && !named(block, sent).length && {};

/** What stands for questions that are not asked in practice. */
export const usual = harmlessOf;

/** How many people of whom a single answer is not true send it as their word, too. */
export const others = ({items, words}, {id, code}) => {
	const place = items.findIndex(item => item.id === id);
	const word = words.find(({parts}) => `${parts}` === `${[place, code]}`);
	return word && [BigInt(word.base), BigInt(ONE)];
};

export const changes = false;

/** The names of its texts in each language. */
export const words = {
	how: 'one-of.how',
	one: 'one-of.one',
	together: 'one-of.together',
	sends: 'one-of.sends',
	nothing: 'one-of.nothing',
	arrived: 'one-of.arrived',
	note: 'one-of.note',
	blank: 'one-of.blank',
	many: 'one-of.many',
};
