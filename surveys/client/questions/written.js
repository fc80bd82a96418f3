// What is written into a field: a text, a number with a point or a comma, a day as YYYY-MM-DD.

import {h, say} from '../page.js';
import {missing} from './usual.js';

const UNREADABLE = '?'; // of no type that measures

/**
 * A type whose answer is a text; `attributes` of its field, with rows if it is long; `measure`: what `min` and `max`
 * bound, undefined for a text that is not one of its type, of which `wrong(question, text)` tells. The server takes
 * whatever passes here. What a browser cannot read, such as half a date, is no answer, and not empty either.
 */
const written = (attributes, measure, wrong, most) => ({
	isField: true,
	problem(question, answer) {
		if (!answer) return missing(question, answer);
		const {min, max = most} = question;
		const given = measure(answer);
		if (given === undefined) return wrong(question, answer);
		return given < (min ?? given) || given > (max ?? given)
			? ['outside', {min: `${min ?? '…'}`, max: `${max ?? '…'}`}]
			: null;
	},
	inWords: (question, answer) => answer || say('nothing'),
	/** Spelling checkers may send what is written to their maker: off. */
	controls(question, session, give, described) {
		const own = attributes(question);
		const before = () => session.answers.get(question.id) ?? '';
		const inside = () => (field.validity.badInput ? UNREADABLE : field.value);
		const input = () => {
			if (inside() !== before()) give(inside());
		};
		const blur = () => field.classList.toggle('blank', !inside());
		const field = h(own.rows ? 'textarea' : 'input', {
			...own,
			...described,
			class: `field${before() ? '' : ' blank'}`,
			id: `q-${question.id}-field`,
			spellcheck: 'false',
			input,
			blur,
		});
		field.value = before();
		return field;
	},
});

const MOST = 500; // UTF-16 units of a text

export const text = {
	...written(
		({max}) => ({maxlength: max ?? MOST, dir: 'auto', rows: max > 100 && '4'}),
		({length}) => length,
		null,
		MOST,
	),
	/** In letters that files can carry. */
	toSend: answer => answer.replace(/[^\n\P{Cc}]/gu, ' ').replace(/\p{Cs}/gu, '\ufffd'),
};

const isEither = plain => /^\D?[1-9]\d{0,2}[.,]\d{3}$/.test(plain); // one here, a thousand there

const plainly = text =>
	text
		.trim()
		.normalize('NFKC')
		.replace(/[٠-٩۰-۹०-९]/g, digit => digit.charCodeAt() - (digit < '०' ? digit.charCodeAt() & ~15 : 0x966))
		.replace('٫', '.');

/** Undefined where it is no number, or may be two. */
function numberIn(text) {
	const plain = plainly(text);
	const isOne = !isEither(plain) && /^[-+]?(\d+[.,]?\d*|[.,]\d+)$/.test(plain);
	const number = Number(plain.replace(',', '.'));
	return isOne && Math.abs(number) <= 1e15 ? number : undefined;
}

function misread({min, max}, text) {
	const given = plainly(text);
	if (isEither(given)) return ['written.either', {given, whole: given.replace(/[.,]/, ''), part: `${given}0`}];
	const least = min ?? Math.min(max ?? 0, 0);
	const example = Math.round(least + ((max ?? least + 100) - least) * 0.34);
	return ['written.number', {example: `${Math.max(example, least)}`}];
}

const field = written(({min}) => ({inputmode: min < 0 ? 'text' : 'decimal', dir: 'auto'}), numberIn, misread);

export const number = {
	...field,
	inWords: (question, answer) => numberIn(answer ?? '') ?? field.inWords(question, answer),
	toSend: numberIn,
	values: ({min, max, step = 1}) => [min, max, step],
	valueOf: numberIn,
	valueInWords: (question, value) => value,
};

const day = given => (new Date(given).toJSON()?.slice(0, 10) === given && given > '0001' ? given : undefined);

export const date = written(
	({min, max}) => ({type: 'date', min, max: max ?? '9999-12-31'}),
	day,
	() => ['written.date'],
);
