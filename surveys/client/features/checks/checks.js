// What lets people test the figures: a lot that draws who is asked directly, and an answer whose share is known. And
// the question of a second wave, which only others may answer than those of the first.

import {questionsOf} from '../../exchange.js';
import {button, h, p, percent, say, show, textOf} from '../../page.js';

/** What the first page says of them, before anything is drawn. */
export function notes({lot, anchor, careless, mode, pages}) {
	const asked = questionsOf({pages}).flatMap(({id, text, items = [{id}]}) =>
		items.map(part => [part.id, text, part.label]),
	);
	const known = anchor && asked.find(([id]) => id === anchor.answer.split('=')[0]);
	return [
		lot && p('', say('checks.lot', {share: percent(lot / 2 ** 32, 1)})),
		known && p('', say('checks.anchor', {question: known.slice(1).map(textOf).join(' ').trim()})),
		careless && p('', say('checks.careless')),
		mode && p('', say('checks.mode')),
	];
}

/** Whether this device has sent an answer of the first wave: its people do not answer the second. */
export function hasAnswered(kept) {
	const {after} = this.definition;
	return after && kept.some(([place, {state, gamma}]) => place.includes(after) && (state !== 'begun' || gamma !== 1));
}

/** Of a study an arm is drawn first. The page for people of the first wave is here before they are asked: nobody sees
 * who wants it. */
export async function ready(session) {
	const {definition} = session;
	if (definition.study) await (await import('../study/study.js')).enter(session);
	return definition.after && import('../../stopped/stopped.js');
}

/** No link knows it but those that a lot has held back. What is said here stays here. */
export function before(session, way) {
	const option = (key, next) => h('button', {type: 'button', class: 'plain', click: next}, say(`checks.${key}`));
	show(
		say('checks.before'),
		p('lead', say('checks.others')),
		p('', say('checks.stays')),
		p('buttons', option('no', way.after), option('yes', way.answered), button('back', way.before, 'plain')),
	);
	return way.before;
}

/** Who was drawn chooses: neither way is chosen beforehand. */
export function drawn(session, way) {
	const shown = performance.now();
	const option = (key, direct) =>
		button(
			key,
			({detail, pointerType, timeStamp}) => {
				if (detail > 1 || (pointerType === 'touch' && timeStamp < shown + 500)) return; // meant for the page before
				session.direct = direct;
				way.after();
			},
			'plain',
		);
	show(
		say('checks.title'),
		p('lead', say('checks.asked')),
		p('', say('checks.why')),
		p('', say('checks.free')),
		!session.durable && p('caution', say('noStorage')),
		p('buttons', option('direct', true), option('disguised', false), button('back', way.before, 'plain')),
	);
	return way.before;
}
