// Which version of a text or of some questions a person gets: the answer to a question that nobody is asked. The
// device draws it, with the chances that are published, and sends it as it is.

import {draw, insist, isShares, randomWord} from '../../chances.js';
import {questionsOf} from '../../exchange.js';
import {p, say} from '../../page.js';

const drawnOf = definition => questionsOf(definition).filter(({chances}) => chances);

export const ready = ({definition}) =>
	insist(
		drawnOf(definition).every(({chances, options, sensitive}) => !sensitive && isShares(chances, options.length)),
		'a version cannot be drawn',
	);

/** The names and the answers of what is drawn, as this device has `kept` them for a visit; and the pages without it.
 * Once sent they are not kept, and nothing is drawn again. */
export const drawVariants = (definition, kept) => ({
	variants:
		kept?.variants ??
		(kept?.state === 'sent' ? [] : drawnOf(definition)).map(({id, chances, options}) => [
			id,
			options[draw(chances, randomWord)].value,
		]),
	pages: definition.pages.map(({questions, ...page}) => ({
		...page,
		questions: questions.filter(({chances}) => !chances),
	})),
});

/** What the first page says of it. */
export const firstPage = () => p('', say('order.drawn'));
