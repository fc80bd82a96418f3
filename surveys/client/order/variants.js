// Which version of a text or of some questions a person gets: the answer to a question that nobody is asked. This device
// draws it, with the chances that are published, and sends it as it is.

import {draw, insist, isShares, randomWord} from '../chances.js';
import {p, say} from '../page.js';

/** The names and the answers of what is drawn; `kept`: as this device has drawn it for this visit. */
export function drawVariants(questions, kept) {
	const drawn = questions.filter(({chances}) => chances);
	insist(drawn.every(({chances, options, sensitive}) => !sensitive && isShares(chances, options.length)));
	return kept ?? drawn.map(({id, chances, options}) => [id, options[draw(chances, randomWord)].value]);
}

/** What the first page says of it. */
export const variantNote = () => p('', say('order.drawn'));
