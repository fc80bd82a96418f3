// A number, with a point or a comma.

import {written} from '../written.js';

export const words = {
	wrong: {en: 'Please answer with a number, such as {example}.', 'zh-hans': '请用数字回答，例如 {example}。'},
	either: {
		en: '{given} can be read as two numbers: please write {whole} or {part}.',
		'zh-hans': '{given} 可以读作两个数字：请写 {whole} 或 {part}。',
	},
};

const isEither = plain => /^\D?[1-9]\d{0,2}[.,]\d{3}$/.test(plain); // 1,000 is one here, a thousand there

const plainly = text => text.trim().normalize('NFKC');

/** Undefined where it is no number, or may be two. */
function numberIn(text) {
	const plain = plainly(text);
	const isOne = !isEither(plain) && /^[-+]?(\d+[.,]?\d*|[.,]\d+)$/.test(plain);
	const number = Number(plain.replace(',', '.'));
	return isOne && Math.abs(number) <= 1e15 ? number : undefined;
}

function wrong({min, max}, text) {
	const given = plainly(text);
	if (isEither(given)) return [words.either, {given, whole: given.replace(/[.,]/, ''), part: `${given}0`}];
	const least = min ?? Math.min(max ?? 0, 0);
	const example = Math.round(least + ((max ?? least + 100) - least) * 0.34);
	return [words.wrong, {example: example < least ? least : example}];
}

const field = written(() => ({inputmode: 'decimal'}), numberIn, wrong);

export const {isField, problem, controls} = field;
export const inWords = (question, answer) => numberIn(answer ?? '') ?? field.inWords(question, answer);
export {numberIn as toSend};

export const values = ({min, max, step = 1}) => [min, max, step];
export const valueOf = numberIn;
export const valueInWords = (question, value) => value;
