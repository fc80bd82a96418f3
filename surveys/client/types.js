// The types of question: the module of that name knows all of it (questions/README.md).

import {insist} from './chances.js';

const WRITTEN = 'number text date'.split(' '); // into a field
const TYPES = 'yesno choice several scale matrix place'.split(' ').concat(WRITTEN);
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
		[...new Set(questions.map(({type}) => type))].map(async type => {
			if (!TYPES.includes(type)) return;
			if (WRITTEN.includes(type)) import('./written.js').catch(() => {}); // with the module that needs it, not after
			loaded[type] ??= {...USUAL, ...(await import(`./questions/${type}.js`))};
			await loaded[type].load?.();
		}),
	);

export function typeOf({type}) {
	insist(TYPES.includes(type), 'a question is of no type that is known here');
	return loaded[type];
}
