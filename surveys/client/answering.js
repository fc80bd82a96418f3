// The questions: one page of them after the other, and what was answered before it is sent.

import {kindOf} from './disguise.js';
import {button, form, h, mark, p, say, show, told, written} from './page.js';
import {openOf} from './promise.js';
import {questionsOf, typeOf} from './questionnaire.js';

function isShown(question, session) {
	const {answers, byId, isAsked} = session;
	const parts = typeOf(question).parts(question);
	if (!parts.some(part => isAsked(part?.id ?? question.id))) return false;
	if (!question.when) return true;
	const {question: id, is} = question.when;
	const [other, answer] = [byId.get(id), answers.get(id)];
	if (!isShown(other, session) || answer === undefined) return false;
	return is.some(value => typeOf(other).tells(answer).includes(value));
}

/** Which answer to the question is not hidden, if one is. */
function openAnswer({id}, {definition, direct}) {
	const item = definition.items.find(({question}) => question.id === id);
	const names = item && !direct && openOf({...item.block, items: [item]});
	return names && p('help', say(kindOf(item.block).words.open, names));
}

/** The question as an element; `element.complain(words)` shows what is wrong. */
function questionElement(question, session, changed) {
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

const shownOn = (page, session) => page.questions.filter(question => isShown(question, session));

/** What is wrong with the answer, as arguments for `say`. */
const problem = (question, session) => typeOf(question).problem(question, session.answers.get(question.id), session);

function pageFrom(start, step, session) {
	const {pages} = session.definition;
	for (let number = start; pages[number]; number += step) {
		if (shownOn(pages[number], session).length) return number;
	}
}

/** One page of questions; `back`: the question that the review led to. Each step gives the way one step back. */
export function questions(session, way, start = 0, back) {
	const {pages, title} = session.definition;
	const number = pageFrom(start, 1, session);
	if (number === undefined) return way.review();
	const page = pages[number];
	const refresh = () =>
		elements.forEach(([question, element]) => {
			element.hidden = !isShown(question, session);
		});
	const elements = page.questions.map(question => [question, questionElement(question, session, refresh)]);
	const inputOf = element =>
		element.querySelector('fieldset:not(:has(:checked)) input') ?? element.querySelector('input, textarea');
	const submit = () => {
		// A field that holds half a date tells of it only when it is asked.
		elements.forEach(([, element]) => element.querySelector('.field')?.dispatchEvent(new Event('input')));
		const wrong = elements.filter(([question, element]) => !element.hidden && problem(question, session));
		wrong.forEach(([question, element]) => element.complain(problem(question, session)));
		if (wrong.length) inputOf(wrong[0][1]).focus();
		else if (back) way.review();
		else way.questions(number + 1);
	};
	const before = pageFrom(number - 1, -1, session);
	const previous = () => (before === undefined ? way.before() : way.questions(before));
	const counted = pages.filter(one => shownOn(one, session).length);
	refresh();
	show(
		written('span', page.title ?? title),
		counted.length > 1 && p('quiet', say('page', {page: counted.indexOf(page) + 1, pages: counted.length})),
		form(
			submit,
			elements.map(([, element]) => element),
			!back && button('back', previous, 'plain'),
		),
	);
	if (back) inputOf(document.getElementById(`q-${back}`)).focus();
	return back ? way.review : previous;
}

export function review(session, way) {
	const {pages} = session.definition;
	const lacking = pages.findIndex(page => shownOn(page, session).some(question => problem(question, session)));
	if (lacking >= 0) return way.questions(lacking);
	const row = (question, number) => {
		const {id, text, sensitive} = question;
		const change = button('change', () => way.questions(number, id), 'link');
		change.setAttribute('aria-label', `${say('change')}: ${told(text)}`);
		return h(
			'div',
			{},
			h('dt', {}, written('span', text), mark(sensitive && !session.direct)),
			h('dd', {dir: 'auto'}, typeOf(question).inWords(question, session.answers.get(id), session)),
			h('dd', {}, change),
		);
	};
	const rows = pages.map((page, number) => shownOn(page, session).map(question => row(question, number)));
	const previous = () => way.questions(pageFrom(pages.length - 1, -1, session));
	const shown = performance.now();
	const send = button(session.direct ? 'send' : 'sendDisguised', ({detail, pointerType, timeStamp}) => {
		if (detail > 1 || (pointerType === 'touch' && timeStamp < shown + 500)) return; // meant for Continue
		send.disabled = true;
		way.send();
	});
	show(
		say('review'),
		p('lead', say('reviewNote')),
		session.direct && p('caution', say('uncoveredDirect')),
		h('dl', {}, rows),
		!session.durable && p('caution', say('noStorage')),
		p('buttons', send, button('back', previous, 'plain')),
	);
	return previous;
}

/** The true answers to sensitive questions, in the design's order: for the disguise, for nothing else. */
export const truth = ({definition, answers, isAsked}) =>
	definition.items.map(item => {
		const {id, block, question, part} = item;
		return isAsked(id)
			? kindOf(block).codeOf(item, typeOf(question).valueOf(answers.get(question.id), part), block)
			: null;
	});

/** The open answers that are shown. */
export function openAnswers(session) {
	const answered = questionsOf(session.definition)
		.map(question => [question, session.answers.get(question.id)])
		.filter(([question, answer]) => !question.sensitive && (answer?.size ?? answer) && isShown(question, session));
	return Object.fromEntries(
		answered.map(([question, answer]) => [question.id, typeOf(question).toSend(answer, question)]),
	);
}
