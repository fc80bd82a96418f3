// What lets people test the figures: a lot that draws who is asked directly, and a pair of questions that everybody
// answers alike.

import {button, p, percent, say, show} from '../../page.js';

/** What the first page says of them, before anything is drawn. */
export function notes({lot, careless, mode, interviews}) {
	return [
		lot && p('', say('checks.lot', {share: percent(lot / 2 ** 32, 1)})),
		careless && p('', say('checks.careless')),
		mode && p('', say('checks.mode')),
		interviews?.mode && p('', say('checks.interviews')),
	];
}

/** Of a study an arm is drawn first. */
export async function ready(session) {
	const {definition} = session;
	if (definition.study) await (await import('../study/study.js')).enter(session);
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
