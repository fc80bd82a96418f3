// What types of question share, and usual types.

import {h, p, say, spoken, textOf} from '../page.js';

export function form(next, content, ...others) {
	const submit = event => {
		event.preventDefault();
		next();
	};
	const buttons = p('buttons', h('button', {class: 'main'}, say('next')), others);
	return h('form', {autocomplete: 'off', novalidate: true, submit}, content, buttons);
}

/** Options or parts as this device has shuffled them, if it has. */
const ordered = (list, {id}, {orders}) => orders.get(id)?.map(place => list[place]) ?? list;

/** The parts that this device asks, in its order. */
export const partsAsked = (question, session) =>
	ordered(question.items, question, session).filter(({id}) => session.isAsked(id));

/** `isWritten`: the words are those of the questionnaire's author. */
export const option = (attributes, words, isWritten) =>
	h('label', {class: 'option', ...(isWritten && spoken())}, h('input', attributes), h('span', {}, words));

export const missing = ({required, sensitive}, answer) => (!answer && (required || sensitive) ? ['missing'] : null);

export const labelled = ({options}) => options.map(({value, label}) => [value, textOf(label)]);

export const steps = ({min, max}) =>
	Array.from({length: max - min + 1}, (_, step) => [`${min + step}`, `${min + step}`]);

/** What the first and last step mean. */
export const ends = ({min, max, ends: named}) =>
	named?.low &&
	h(
		'p',
		{...spoken(), class: 'help'},
		h('bdi', {}, `${min} = ${textOf(named.low)}`),
		' – ',
		h('bdi', {}, `${max} = ${textOf(named.high)}`),
	);

/** A type whose answer is one of `optionsOf(question)`, pairs of value and words. */
function oneOf(optionsOf) {
	const valueInWords = (question, value) => optionsOf(question).find(([own]) => own === value)[1];
	return {
		role: 'radiogroup',
		values: question => optionsOf(question).map(([value]) => value),
		valueOf: answer => answer,
		valueInWords,
		problem: missing,
		inWords: (question, answer) => (answer ? valueInWords(question, answer) : say('nothing')),
		controls(question, session, give) {
			const given = session.answers.get(question.id);
			return h(
				'div',
				{class: `options ${question.type}`},
				ordered(optionsOf(question), question, session).map(([value, words]) =>
					option(
						{type: 'radio', name: question.id, value, checked: value === given, change: () => give(value)},
						words,
						question.options,
					),
				),
			);
		},
	};
}

/** One answer among options. */
export const choice = oneOf(labelled);

/** A step on a scale of whole numbers, with words at its ends. */
export const scale = {...oneOf(steps), note: ends};

/** Yes or no, or with options of its own. */
export const yesno = {
	...oneOf(question =>
		question.options
			? labelled(question)
			: [
					['1', say('yes')],
					['0', say('no')],
				],
	),
	plain: true,
};
