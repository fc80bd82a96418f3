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

export const words = {
	how: {
		en: 'At Send your device draws one word of a public list, or none. Only this word is sent.',
		'zh-hans': '“发送”时，您的设备从公开的词表中抽取一个词，或什么也不抽。只有这个词会被发送。',
	},
	one: {
		en: 'All that your device sends about {count} of your answers is one word, or nothing. The word is perhaps yours, perhaps random.',
		'zh-hans': '关于您的 {count} 个回答，您的设备只发送一个词，或什么也不发送。这个词也许是您的，也许是随机的。',
	},
	together: {
		en: 'A word may name {most} answers together.',
		'zh-hans': '一个词可以同时指 {most} 个回答。',
	},
	sends: {
		en: 'Of {of} people who have no word to send, about {some} still send one. So a stored word may come from anybody.',
		'zh-hans': '词表中没有任何词符合的 {of} 个人中，仍有约 {some} 人会发送某个词。因此，所存的词可能来自任何人。',
	},
	nothing: {
		en: 'Of {of} people who have a word to send, {some} or more send nothing.',
		'zh-hans': '词表中有词符合的 {of} 个人中，至少有 {some} 人什么也不发送。',
	},
	arrived: {
		en: 'What your device sent has arrived. It has forgotten your disguised answers.',
		'zh-hans': '您的设备所发送的内容已送达。它已忘记您被伪装的回答。',
	},
	note: {
		en: 'One word was sent:',
		'zh-hans': '发送了一个词：',
	},
	blank: {
		en: 'No word was sent: perhaps none is true of you, perhaps by chance.',
		'zh-hans': '没有发送任何词：也许没有词符合您，也许是随机的结果。',
	},
	many: {
		en: 'One word was sent: “many of these”. Chance sends it, too.',
		'zh-hans': '发送了一个词：“其中多项”。随机也会发送它。',
	},
};
