// People who come from a panel, and the ends of their visits: what the first page says of it beforehand, who is sent
// away, a code, and the way back. An end is the same for everybody of its outcome. The panel's own number of the person
// goes into the way back here, on the device.

import {insist} from '../../chances.js';
import {path, questionsOf, read, write} from '../../exchange.js';
import {button, gap, h, p, say, show} from '../../page.js';
import {typeOf} from '../../questionnaire.js';

let full; // the answers that enough people gave, by question

/** Asked for once, by everybody alike and before any answer. Where it cannot be had, nobody is sent away. */
async function askFull() {
	full = Object.create(null);
	const answer = await fetch(`${path}groups`, {credentials: 'omit'});
	if (answer.ok) full = Object.assign(Object.create(null), await answer.json());
}

/** Nothing that ends a visit or comes from its address is sensitive, or the panel's number of the person. */
export const ready = ({definition: {pages, panel}}) =>
	insist(
		questionsOf({pages}).every(
			({out, enough, parameter, sensitive}) =>
				!(sensitive && (out || enough || parameter)) &&
				parameter !== 'i' &&
				(!parameter || parameter !== panel?.number),
		),
		'others would learn an answer',
	);

/** What the first page says, before anything is begun. */
export function firstPage(definition) {
	const {panel, access} = definition;
	const asked = questionsOf(definition);
	if (!full && asked.some(({enough}) => enough)) askFull().catch(() => {});
	if (!panel) return null;
	const admits = access === 'invitation' && panel.number;
	const notes = [
		'learns',
		...(admits ? ['number', 'once'] : []),
		asked.some(({out, enough}) => out || enough) && 'screens',
	];
	return p(
		'caution',
		notes.map(note => note && [say(`panel.${note}`, {panel: panel.name}), gap()]),
	);
}

/** The answers that the address holds, of those that it may hold. */
export const fromAddress = (questions, link) =>
	questions
		.filter(({parameter, options}) => parameter && options.some(({value}) => value === link.given(parameter)))
		.map(({id, parameter}) => [id, link.given(parameter)]);

/** How one of these answers ends the visit: out, full, or not at all. */
export function endsWith(questions, {answers}) {
	const has = (question, values = []) => {
		const said = typeOf(question).tells(answers.get(question.id) ?? '');
		return values.some(value => said.includes(value));
	};
	if (questions.some(question => has(question, question.out))) return 'out';
	const isFull = ({id, enough}) => full?.[id]?.filter(value => Object.hasOwn(enough, value));
	return questions.some(question => question.enough && has(question, isFull(question))) && 'full';
}

const OUTCOMES = {sent: 'sent', duplicate: 'sent', out: 'out', full: 'full', closed: 'full'};

/** The end of a visit, or of the way there: a code, and the way back by a press. */
export function endOf({ends, name: panel}, how, number) {
	const {code, address} = ends[OUTCOMES[how]] ?? {};
	const back =
		(number || !address?.includes('{number}')) && address?.replaceAll('{number}', encodeURIComponent(number));
	if (!code && !back) return null;
	const press = () => globalThis.open(back, '_top');
	return h(
		'section',
		{class: 'protection'},
		h('h2', {}, say(code ? 'panel.code' : 'panel.back', {panel})),
		code && p('', h('code', {class: 'receipt'}, code)),
		OUTCOMES[how] === 'sent' && p('quiet', say('panel.same')),
		back && p('buttons', h('button', {type: 'button', class: 'main', click: press}, say('panel.back', {panel}))),
	);
}

/** An undisguised answer said that the survey is for others. Nothing is sent; coming again leads here.
 * What earlier visits kept says `true` for out. */
export function out(session, way, how) {
	const {definition, number, place, answers} = session;
	const {panel, access} = definition;
	write(place, {...read(place), out: how});
	answers.clear();
	session.answered = false;
	show(
		say(how === 'full' ? 'panel.full' : 'panel.out'),
		p('lead', say('panel.forgotten')),
		panel && endOf(panel, how === 'full' ? 'full' : 'out', number),
		access === 'open' && button('another', way.another, 'plain'),
	);
}
