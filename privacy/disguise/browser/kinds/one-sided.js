// A one-sided block leaves one of your two answers open: that one, the `harmless` one, is turned into the other with
// the chance `one-sided`, each for itself; the other always stays. So the other may come from anybody.

import {insist, isWhole, NO, ONE, paired, stored, YES} from '../chances.js';

export function check({'one-sided': turned, items}) {
	insist(isWhole(turned, 1, ONE), 'a harmless answer is turned with no chance above 0 and up to 1');
	const isMarked = ({options, harmless}) => `${options}` === '0,1' && options.includes(harmless);
	insist(items.every(isMarked), 'a question has no harmless answer');
}

/** A word for every answer, used or not. */
export const disguise = ({'one-sided': turned}, items, truth, take) =>
	truth.map((answer, place) => (take() < turned ? 1 - items[place].harmless : answer));

/** For every question asked, the other answer comes 1 / g times as often from those of whom it is true; a harmless
 * one hides nothing. */
export const factors = ({'one-sided': turned, items, ask, sent}) =>
	items
		.filter(({harmless}, place) => !sent || sent[place] === 1 - harmless)
		.slice(0, ask)
		.map(() => ({over: BigInt(ONE), under: BigInt(turned)}));

const namesOf = harmless => {
	const [open, hidden] = harmless === '0' ? [NO, YES] : [YES, NO];
	return {open, hidden};
};

/** None, where every harmless answer is turned: none is stored. */
export const open = ({'one-sided': turned, items: [{harmless}]}) => turned < ONE && namesOf(harmless);

/** Which answer is not hidden, and how often it comes as the other one. */
export const explain = blocks => [
	[
		blocks,
		['0', '1'].flatMap(harmless => {
			const turned = blocks.flatMap(({'one-sided': share, items}) =>
				items.filter(item => item.harmless === harmless).map(() => [[BigInt(share), BigInt(ONE)]]),
			);
			const names = namesOf(harmless);
			return paired([stored(names.open, names.hidden)], turned).flatMap(becomes => [
				...(turned.some(([[over, under]]) => over < under) ? [[words.open, names]] : []),
				becomes,
				...(becomes[1].some ? [[words.so, names]] : []),
			]);
		}),
	],
];

/** How many people with the other answer send this one, too. */
export const others = ({'one-sided': turned}, {code, harmless}) => [
	BigInt(code === Number(harmless) ? 0 : turned),
	BigInt(ONE),
];

export const words = {
	how: {
		en: 'At Send chance turns some answers that are not hidden into hidden ones. Nobody learns which.',
		'zh-hans': '“发送”时，部分不被隐藏的回答会随机变成被隐藏的回答，无人知道是哪些。',
	},
	open: {
		en: '“{open}” is not hidden here: a stored “{open}” is true.',
		'zh-hans': '此处“{open}”不被隐藏：凡发送的“{open}”都是真实的。',
	},
	so: {
		en: 'Every true “{hidden}” is stored as “{hidden}”. So one stored “{hidden}” alone does not show that you gave it.',
		'zh-hans':
			'真实回答为“{hidden}”的人，存储的也是“{hidden}”。因此，仅凭一个所存的“{hidden}”，谁都无法确定那是您的回答。',
	},
	together: {
		en: 'Take the questions where one answer is not hidden. Say half of a crowd would give only such answers, and half would not. Take {of} people in it with the same stored answers. Up to {most} would give a hidden answer at least once. At least {some} would not.',
		'zh-hans':
			'看那些有一个回答不被隐藏的问题：假设一群人中一半对它们只会给出不被隐藏的回答，另一半则不然。其中 {of} 个所存回答相同的人里，至多 {most} 人会至少给出一次被隐藏的回答，至少 {some} 人不会。',
	},
	believed: {
		en: 'If someone is {prior} sure that you gave a hidden answer to at least one of these questions, what you send cannot make them more than {posterior} sure.',
		'zh-hans':
			'如果有人认为您有 {prior} 的可能对其中至少一个问题作了其他回答，那么无论您发送什么，他对此的把握都不会超过 {posterior}。',
	},
	second: {
		en: 'You have sent answers from here before. This is a second disclosure. Take the questions where one answer is not hidden. Someone who could join both could think that you gave a hidden answer there. They could become up to {posterior} sure.',
		'zh-hans':
			'您曾从这里发送过回答。这是第二次披露：把两者相联系的人，对您在有回答不被隐藏的问题上给出过被隐藏的回答，把握最多可达 {posterior}。',
	},
	sent: {
		en: 'An answer that is not hidden is yours. A hidden one is perhaps yours, perhaps chance’s.',
		'zh-hans': '不被隐藏的回答是您的；被隐藏的也许是您的，也许是随机的结果。',
	},
	stored: {
		en: 'Among the disguised ones, an answer that is not hidden is true.',
		'zh-hans': '伪装后的回答中，不被隐藏的都是真实的。',
	},
	others: {
		en: 'From the other answers alone, someone who thinks it {prior} likely that something asked there is true of you cannot become more than {posterior} sure.',
		'zh-hans': '仅凭其他回答：如果有人认为所问之事有 {prior} 的可能符合您，他的把握不会超过 {posterior}。',
	},
};
