import {kindOf} from './kinds.js';
import {say, told} from './language.js';
import {button, form, h, p, show, written} from './page.js';
import {isShown, mark, questionElement} from './questions.js';
import {questionsOf} from './reading.js';
import {typeOf} from './types.js';

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
