// The questions: their types, their pages, and the review before anything is sent.

import {insist} from './chances.js';
import {kindOf} from './disguise.js';
import {questionsOf} from './exchange.js';
import {button, h, icon, p, say, show, textOf, withRare, written} from './page.js';
import {choice, form, scale, yesno} from './questions/usual.js';

/** Every item of the design, with its block, its question and its part of that. */
export function locate(definition) {
	const asking = new Map();
	const names = new Set();
	for (const question of questionsOf(definition)) {
		const {id, sensitive} = question;
		insist(!names.has(id));
		names.add(id);
		const parts = sensitive ? typeOf(question).parts(question) : [];
		for (const part of parts) asking.set(part?.id ?? id, {question, part});
	}
	const plain = (values, {options}) => JSON.stringify(options ? values.map(String).sort() : values.map(String));
	const items = definition.design.blocks.flatMap(block => {
		return block.items.map(item => {
			const {question, part} = asking.get(item.id);
			asking.delete(item.id);
			insist(plain(typeOf(question).values(question), item) === plain(kindOf(block).answers(item), item));
			return {...item, block, question, part};
		});
	});
	insist(!asking.size);
	return items;
}

/** The types of question, a line each: the module that knows it, alone or under its name, comes where it is asked
 * (questions/README.md). */
const TYPES = {
	yesno: () => yesno,
	choice: () => choice,
	scale: () => scale,
	several: () => import('./questions/several.js'),
	matrix: () => import('./questions/matrix.js'),
	ranking: () => withRare(import('./questions/ranking.js')),
	place: () => withRare(import('./questions/place.js')),
	number: () => import('./questions/written.js'),
	text: () => import('./questions/written.js'),
	date: () => import('./questions/written.js'),
};
const USUAL = {
	parts: () => [null],
	toSend: answer => answer,
	sent: String,
	tells: answer => [answer],
	note: () => null,
};
const loaded = {};

export const loadTypes = questions =>
	Promise.all(
		[...new Set(questions.map(({type}) => type))]
			.filter(type => type in TYPES)
			.map(async type => {
				const module = await TYPES[type]();
				loaded[type] ??= {...USUAL, ...(module[type] ?? module)};
				await loaded[type].load?.();
			}),
	);

/** What knows the question: its type, or what it `asks` by. */
export function typeOf({type, asks = loaded[type]}) {
	insist(asks, 'a question is of no type that is known here');
	return asks;
}

/** What a question or an answer says of its disguise: of those below each other the first, to screen readers each. */
function mark({sensitive, asks}, {direct}) {
	const kind = sensitive && !direct ? 'mask' : 'open';
	return p(`mark ${asks?.mark ? 'mask own' : kind}`, icon(kind), say(asks?.mark ?? kind));
}

export function isShown(question, session) {
	const parts = typeOf(question).parts(question);
	const isAsked = parts.some(part => session.isAsked(part?.id ?? question.id));
	return isAsked && (!question.when || session.meets(question.when, session));
}

/** Which answer to the question is not hidden, if one is. */
function openAnswer({id}, {definition, direct}) {
	const item = definition.items.find(({question}) => question.id === id);
	const names = item && !direct && kindOf(item.block).open({...item.block, items: [item]});
	return names && p('help', say(kindOf(item.block).words.open, names));
}

/** The question as an element; `element.complain(words)` shows what is wrong. */
function questionElement(question, session, changed) {
	const {text, help, required, sensitive} = question;
	const {controls, isField, role, note: more} = typeOf(question);
	const id = `q-${question.id}`;
	const give = answer => {
		session.answers.set(question.id, answer);
		session.answered = true;
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
		mark(question, session),
		openAnswer(question, session),
		written('p', help, {class: 'help'}),
		more(question),
	);
	const error = h('p', {class: 'error', id: `${id}-error`});
	const described = {'aria-describedby': `${id}-note ${id}-error`};
	const content = [note, session.besides?.(question, session), controls(question, session, give, described), error];
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

/** What the address has said is not asked. */
const askedOn = (page, session) => shownOn(page, session).filter(({parameter}) => !parameter);

/** What is wrong with the answer, as arguments for `say`. */
const problem = (question, session) => typeOf(question).problem(question, session.answers.get(question.id), session);

function pageFrom(start, step, session) {
	const {pages} = session;
	for (let number = start; pages[number]; number += step) {
		if (askedOn(pages[number], session).length) return number;
	}
}

/** One page of questions; `back`: the question that the review led to. Each step gives the way one step back. */
export function questions(session, way, start = 0, back) {
	const {pages, definition} = session;
	const number = pageFrom(start, 1, session);
	if (number === undefined) return way.review();
	const page = pages[number];
	const before = pageFrom(number - 1, -1, session);
	const previous = () => (before === undefined ? way.before() : way.questions(before));
	const next = () => (back ? way.review() : way.questions(number + 1));
	if (page.draws) return session.askByDraw(page, session, way, {number, back, previous, next});
	const refresh = () =>
		elements.forEach(([question, element]) => {
			element.hidden = !isShown(question, session);
		});
	const elements = page.questions
		.filter(({parameter}) => !parameter)
		.map(question => [question, questionElement(question, session, refresh)]);
	const inputOf = element =>
		element.querySelector('fieldset:not(:has(:checked)) input') ?? element.querySelector('input, textarea');
	const submit = () => {
		// A field that holds half a date tells of it only when it is asked.
		elements.forEach(([, element]) => element.querySelector('.field')?.dispatchEvent(new Event('input')));
		const wrong = elements.filter(([question, element]) => !element.hidden && problem(question, session));
		wrong.forEach(([question, element]) => element.complain(problem(question, session)));
		if (wrong.length) return inputOf(wrong[0][1]).focus();
		const end = session.endsWith?.(askedOn(page, session), session);
		if (end) way.out(end);
		else next();
	};
	const counted = pages.filter(one => askedOn(one, session).length);
	refresh();
	show(
		written('span', page.title ?? definition.title),
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
	const {pages} = session;
	const lacking = pages.findIndex(page => shownOn(page, session).some(question => problem(question, session)));
	if (lacking >= 0) return way.questions(lacking);
	const row = (question, number) => {
		const {id, text} = question;
		const change = button('change', () => way.questions(number, id), 'link');
		change.setAttribute('aria-label', `${say('change')}: ${textOf(text)}`);
		return h(
			'div',
			{},
			h('dt', {}, written('span', text), mark(question, session)),
			h('dd', {}, h('bdi', {}, typeOf(question).inWords(question, session.answers.get(id), session))),
			h('dd', {}, !question.parameter && change),
		);
	};
	const rows = pages.map((page, number) => shownOn(page, session).map(question => row(question, number)));
	const previous = () => way.questions(pageFrom(pages.length - 1, -1, session));
	const shown = performance.now();
	const send = button(
		session.direct ? 'send' : (session.send ?? 'sendDisguised'),
		({detail, pointerType, timeStamp}) => {
			if (detail > 1 || (pointerType === 'touch' && timeStamp < shown + 500)) return; // meant for Continue
			send.disabled = true;
			way.send();
		},
	);
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
