// The order of pages, questions, options and parts that a device draws. What is sent has the questionnaire's order.

import {randomWord} from '../../chances.js';
import {mixedOf, questionsOf} from '../../exchange.js';

/** The places of a list in a drawn order, before those that stay last. */
const shuffled = list =>
	list
		.map(({last}, place) => [last ? 2 ** 32 + place : randomWord(), place])
		.sort(([a], [b]) => a - b)
		.map(([, place]) => place);

/** The pages: those that move are at each other's places. And the orders of options or parts, by their questions. */
export function drawOrder(published) {
	const moving = published.filter(({moves}) => moves);
	const drawn = shuffled(moving);
	const pages = published
		.map(page => (page.moves ? moving[drawn.pop()] : page))
		.map(({questions, ...page}) => ({
			...page,
			questions: page.shuffle ? shuffled(questions).map(place => questions[place]) : questions,
		}));
	const mixed = questionsOf({pages}).filter(mixedOf);
	return {pages, orders: new Map(mixed.map(question => [question.id, shuffled(mixedOf(question))]))};
}
