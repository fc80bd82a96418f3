// What lets people test the figures: a lot that draws who is asked directly, an answer whose share is known, and two
// strengths of one disguise.

import {button, p, percent, say, show, textOf} from '../page.js';
import {note} from './arms.js';

export {drawArm, drawnArm} from './arms.js';

/** What the first page says of them, before anything is drawn. */
export function notes({lot, anchor, arms, items, design}) {
	const known = anchor && items.find(({id}) => id === anchor.answer.split('=')[0]);
	return [
		arms && note(design),
		lot && p('', say('checks.lot', {share: percent(lot / 2 ** 32, 1)})),
		known &&
			p('', say('checks.anchor', {question: [known.question.text, known.part?.label].map(textOf).join(' ').trim()})),
	];
}

/** Who was drawn chooses: neither way is chosen beforehand. */
export function drawn(session, way) {
	const option = (key, direct) =>
		button(
			key,
			() => {
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
