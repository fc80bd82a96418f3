// Everything random that happens to your answers happens here, in your browser, before anything is sent.
//
// A design says how. Its chances are those published, exactly (chances.js). Answers form blocks, each kind disguised in
// its own way (kinds/). With `ask`, you are asked only so many questions of the block, picked by chance.
//
// Answers and the record hold codes (0 no, 1 yes), null where nothing was asked, in the design's order.

import {choose, insist, isWhole, ONE, randomWord} from './chances.js';
import {kindOf} from './kinds.js';

/** Which questions to ask. Drawn once, before the first answer; no secret. */
export function drawAsked(design, take = randomWord) {
	return design.blocks.flatMap(block => {
		const size = block.items.length;
		return askedOf(block) < size ? choose(askedOf(block), size, take) : Array(size).fill(true);
	});
}

/** The record to send in place of your answers. Called once, when you finish. */
export function disguise(design, answers, asked, take = randomWord) {
	checkDesign(design);
	checkAnswers(design, answers, asked);
	const record = answers.map(() => null);
	let column = 0;
	for (const block of design.blocks) {
		const here = block.items.map((item, place) => ({item, place: column + place})).filter(({place}) => asked[place]);
		insist(here.length === askedOf(block), `${here.length} questions of a block were asked, not ${askedOf(block)}`);
		const truth = here.map(({place}) => answers[place]);
		const sent = kindOf(block).disguise(
			block,
			here.map(({item}) => item),
			truth,
			take,
		);
		here.forEach(({place}, number) => {
			record[place] = sent[number];
		});
		column += block.items.length;
	}
	return record;
}

const askedOf = block => block.ask ?? block.items.length;

/** Refuse a design that cannot be applied exactly as published. */
export function checkDesign(design) {
	insist(design.of === ONE, 'its chances are not out of 2^32');
	for (const block of design.blocks) {
		const {items, ask = items.length} = block;
		insist(isWhole(ask, 1, items.length), 'a block cannot ask so many questions');
		kindOf(block).check(block);
	}
}

/** Refuse answers that do not fit. Errors never tell an answer. */
function checkAnswers(design, answers, asked) {
	const items = design.blocks.flatMap(block => block.items.map(item => [block, item]));
	insist(answers.length === items.length && asked.length === items.length, `there are ${items.length} questions`);
	items.forEach(([block, item], place) => {
		const fits = asked[place] ? kindOf(block).fits(item, answers[place], block) : answers[place] === null;
		insist(fits, `the answer to ${item.id} is none it can have`);
	});
}
