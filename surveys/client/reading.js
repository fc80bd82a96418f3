// Asks for the questionnaire, which no cache here keeps, and for its kinds and types while the rest is on its way.
// Whether it is the link's is judged later; only modules of this page can be loaded.

import {loadKinds} from './kinds.js';
import {loadTypes} from './types.js';

export const questionsOf = ({pages}) => pages.flatMap(({questions}) => questions);

/** What came: {bytes, definition, more}, bytes alone that cannot be understood, or the {answer}; `more`: what few
 * need. */
export async function read() {
	const answer = await fetch('questionnaire', {cache: 'no-store'}).catch(() => ({}));
	const bytes = answer.ok && (await answer.arrayBuffer().catch(() => null));
	if (!bytes) return {answer};
	try {
		const definition = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
		const used = [
			definition.comprehension && import('./comprehension/comprehension.js'),
			(definition.lot ?? definition.anchor ?? definition.arms) && import('./checks/checks.js'),
			loadKinds(definition.design),
			loadTypes(questionsOf(definition)),
		];
		return await Promise.all(used).then(
			([one, other]) => ({bytes, definition, more: {...one, ...other}}),
			() => ({answer: {}}),
		);
	} catch {
		return {bytes};
	}
}

export const early = globalThis.isSecureContext && read(); // elsewhere nothing is asked for
