// Any number of answers out of several: each of them is a yes/no item of its own. An answer is the set of their ids.

import {h, p, say, textOf} from '../page.js';
import {option, partsAsked} from './usual.js';

export const parts = ({items}) => items;
export const values = () => ['0', '1'];
export const valueOf = (answer, {id}) => (answer?.has(id) ? '1' : '0');
export const valueInWords = (question, value) => say(value === '1' ? 'yes' : 'no');

export const problem = ({required, sensitive}, answer) =>
	required && !sensitive && !answer?.size ? ['missing'] : null;

export const inWords = (question, answer, session) =>
	partsAsked(question, session)
		.filter(({id}) => answer?.has(id))
		.map(({label}) => textOf(label))
		.join(', ') || '–';

export const toSend = (answer, {items}) => items.map(({id}) => id).filter(id => answer.has(id));
export const sent = value => new Set(value);
export const tells = answer => [...answer];

export const note = () => p('help', say('several.note'));

export function controls(question, session, give) {
	const ticked = new Set(session.answers.get(question.id));
	const change = ({target}) => {
		ticked[target.checked ? 'add' : 'delete'](target.value);
		give(ticked);
	};
	return h(
		'div',
		{class: 'options'},
		partsAsked(question, session).map(({id, label}) =>
			option({type: 'checkbox', name: question.id, value: id, checked: ticked.has(id), change}, textOf(label), true),
		),
	);
}
