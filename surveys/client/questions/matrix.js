// Statements on one scale: a table where there is room, else a list. An answer maps the statements' ids to points.

import {h, say, spoken, style, textOf} from '../page.js';
import {ends, labelled, option, partsAsked, steps} from './usual.js';

const MOST_COLUMNS = {named: 5, steps: 11}; // of a table that can still be read

/** Its looks, which the page waits for. */
export const load = () => style(new URL('matrix.css', import.meta.url));

const pointsOf = question => (question.options ? labelled(question) : steps(question));

export {ends as note};
export const parts = ({items}) => items;
export const values = question => pointsOf(question).map(([value]) => value);
export const valueOf = (answer, {id}) => answer?.get(id);
export const valueInWords = (question, value) => pointsOf(question).find(([own]) => own === value)[1];

export function problem({required, sensitive, ...question}, answer, session) {
	const isLacking = partsAsked(question, session).some(({id}) => !answer?.has(id));
	return isLacking && (required || sensitive) ? ['matrix.wrong'] : null;
}

const linesOf = (question, answer, session) =>
	partsAsked(question, session)
		.filter(({id}) => answer?.has(id))
		.map(({id, label}) =>
			h('span', {class: 'line'}, h('span', {class: 'said'}, textOf(label)), valueInWords(question, answer.get(id))),
		);

export const inWords = (question, answer, session) =>
	answer?.size ? linesOf(question, answer, session) : say('nothing');

export const toSend = (answer, {items}) =>
	Object.fromEntries(items.filter(({id}) => answer.has(id)).map(({id}) => [id, answer.get(id)]));
export const sent = value => new Map(Object.entries(value));
export const tells = answer => [...answer].map(([id, value]) => `${id}=${value}`);

export function controls(question, session, give) {
	const {id, options} = question;
	const [points, scale] = [pointsOf(question), options ? 'named' : 'steps'];
	const given = new Map(session.answers.get(id));
	const statement = part =>
		h(
			'fieldset',
			{role: 'radiogroup'},
			h('legend', spoken(), textOf(part.label)),
			points.map(([value, label]) =>
				option(
					{
						type: 'radio',
						name: `${id}:${part.id}`,
						value,
						checked: given.get(part.id) === value,
						change: () => give(given.set(part.id, value)),
					},
					label,
					options,
				),
			),
		);
	return h(
		'div',
		{class: `matrix ${scale} ${points.length > MOST_COLUMNS[scale] ? 'wide' : 'table'}`},
		h(
			'div',
			{class: 'points', 'aria-hidden': 'true'},
			h('span', {}),
			points.map(([, label]) => h('span', {...(options && spoken())}, label)),
		),
		partsAsked(question, session).map(statement),
	);
}
