// What is written into a field.

import {say} from './language.js';
import {missing} from './options.js';
import {h} from './page.js';

const UNREADABLE = '?'; // of no type that measures

/**
 * A type whose answer is a text; `attributes` of its field, with rows if it is long; `measure`: what `min` and `max`
 * bound, undefined for a text that is not one of its type, of which `wrong(question, text)` tells. The server takes
 * whatever passes here. What a browser cannot read, such as half a date, is no answer, and not empty either.
 */
export const written = (attributes, measure, wrong, most) => ({
	isField: true,
	problem(question, answer) {
		if (!answer) return missing(question, answer);
		const {min, max = most} = question;
		const given = measure(answer);
		if (given === undefined) return wrong(question, answer);
		return given < (min ?? given) || given > (max ?? given) ? ['outside', {min: min ?? '…', max: max ?? '…'}] : null;
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
