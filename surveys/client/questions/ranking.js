// An order of several answers. They are pressed one after the other, the first before all others; nothing is dragged.
// An answer is the list of their ids in that order.

import {h, say, textOf} from '../page.js';
import {missing, option, partsAsked} from './usual.js';

const inOrder = ({items}, answer) =>
	answer.map((id, place) => `${place + 1}. ${textOf(items.find(item => item.id === id).label)}`).join(', ');

export const problem = (question, answer) =>
	answer && answer.length < question.items.length ? ['ranking.wrong'] : missing(question, answer);

export const inWords = (question, answer) => (answer ? inOrder(question, answer) : say('nothing'));
export const toSend = answer => Object.fromEntries(answer.map((id, place) => [id, `${place + 1}`]));
export const tells = () => [];

export const sent = value => Object.keys(value).sort((one, other) => value[one] - value[other]);

export const note = () => h('p', {class: 'help'}, say('ranking.note'));

export function controls(question, session, give) {
	const order = [...(session.answers.get(question.id) ?? [])];
	const said = h('p', {class: 'help', role: 'status', dir: 'auto'}, inOrder(question, order));
	const change = ({target: {checked, value}}) => {
		if (checked) order.push(value);
		else order.splice(order.indexOf(value), 1);
		said.textContent = inOrder(question, order);
		give(order.length ? [...order] : undefined);
	};
	return h(
		'div',
		{class: 'options'},
		partsAsked(question, session).map(({id, label}) =>
			option(
				{type: 'checkbox', name: question.id, value: id, checked: order.includes(id), change},
				textOf(label),
				true,
			),
		),
		said,
	);
}
