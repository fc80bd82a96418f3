import {kindOf} from './kinds.js';
import {say} from './language.js';
import {h, icon, p, written} from './page.js';
import {openOf} from './promise.js';
import {typeOf} from './types.js';

export function isShown(question, session) {
	const {answers, byId, isAsked} = session;
	const parts = typeOf(question).parts(question);
	if (!parts.some(part => isAsked(part?.id ?? question.id))) return false;
	if (!question.when) return true;
	const {question: id, is} = question.when;
	const [other, answer] = [byId.get(id), answers.get(id)];
	if (!isShown(other, session) || answer === undefined) return false;
	return is.some(value => typeOf(other).tells(answer).includes(value));
}

export function mark(disguised) {
	const kind = disguised ? 'mask' : 'open';
	return p(`mark ${kind}`, icon(kind), say(kind));
}

/** Which answer to the question is not hidden, if one is. */
function openAnswer({id}, {definition, direct}) {
	const item = definition.items.find(({question}) => question.id === id);
	const names = item && !direct && openOf({...item.block, items: [item]});
	return names && p('help', say(kindOf(item.block).words.open, names));
}

/** The question as an element; `element.complain(words)` shows what is wrong. */
export function questionElement(question, session, changed) {
	const {text, help, required, sensitive} = question;
	const {controls, isField, role, note: more} = typeOf(question);
	const id = `q-${question.id}`;
	const give = answer => {
		session.answers.set(question.id, answer);
		element.complain();
		changed();
	};
	const heading = [
		written('span', text),
		!sensitive && !required && h('span', {class: 'quiet'}, ` (${say('optional')})`),
	];
	const note = h(
		'div',
		{id: `${id}-note`},
		mark(sensitive && !session.direct),
		openAnswer(question, session),
		written('p', help, {class: 'help'}),
		more(question),
	);
	const error = h('p', {class: 'error', id: `${id}-error`});
	const described = {'aria-describedby': `${id}-note ${id}-error`};
	const content = [note, controls(question, session, give, described), error];
	const element = isField
		? h('div', {class: 'question', id}, h('label', {class: 'legend', for: `${id}-field`}, heading), content)
		: h('fieldset', {class: 'question', id, role, ...described}, h('legend', {class: 'legend'}, heading), content);
	element.complain = words => {
		error.replaceChildren(words ? say(...words) : '');
		element.classList.toggle('wrong', Boolean(words));
	};
	return element;
}
