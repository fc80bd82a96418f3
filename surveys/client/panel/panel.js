// People who come from a panel, and the ends of their visits: what the first page says of it beforehand, who is sent
// away, a code, and the way back. An end is the same for everybody of its outcome. The panel's own number of the person
// goes into the way back here, on the device.

import {questionsOf, read, write} from '../exchange.js';
import {button, h, p, say, show} from '../page.js';
import {typeOf} from '../questionnaire.js';

/** What the first page says, before anything is begun. */
export function firstPage(definition) {
	const {panel, access} = definition;
	if (!panel) return null;
	const notes = [
		'learns',
		access === 'invitation' && panel.number && 'number',
		questionsOf(definition).some(({out}) => out) && 'screens',
	];
	return p(
		'caution',
		notes.map(note => note && [say(`panel.${note}`, {panel: panel.name}), ' ']),
	);
}

/** The answers that the address holds, of those that it may hold. */
export const fromAddress = (questions, link) =>
	questions
		.filter(({parameter, options}) => parameter && options.some(({value}) => value === link.given(parameter)))
		.map(({id, parameter}) => [id, link.given(parameter)]);

/** Whether one of these answers ends the visit. */
export const endsWith = (questions, {answers}) =>
	questions.some(question =>
		question.out?.some(value =>
			typeOf(question)
				.tells(answers.get(question.id) ?? '')
				.includes(value),
		),
	);

const OUTCOMES = {sent: 'sent', duplicate: 'sent', out: 'out', closed: 'full'};

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
		p('quiet', say('panel.same')),
		back && p('buttons', h('button', {type: 'button', class: 'main', click: press}, say('panel.back', {panel}))),
	);
}

/** An undisguised answer said that the survey is for others. Nothing is sent; coming again leads here. */
export function out(session, way) {
	const {definition, number, place, answers} = session;
	const {panel, access} = definition;
	write(place, {...read(place), out: true});
	answers.clear();
	session.answered = false;
	show(
		say('panel.out'),
		p('lead', say('panel.forgotten')),
		panel && endOf(panel, 'out', number),
		access === 'open' && button('another', way.another, 'plain'),
	);
}
