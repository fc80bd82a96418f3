// Whatever chance does to your answers happens here, in your browser, before anything is sent.
//
// A design says how, by exact and published chances. Answers form blocks; each kind has its own way (kinds/).
// With `ask`, chance picks so many questions of the block.
//
// Answers and the record hold codes, null where not asked, in the design's order.

import {choose, insist, isWhole, ONE, product, randomWord} from './chances.js';

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
		const items = here.map(({item}) => item);
		const truth = here.map(({place}) => answers[place]);
		const sent = kindOf(block).disguise(block, items, truth, take);
		here.forEach(({place}, number) => {
			record[place] = sent[number];
		});
		column += block.items.length;
	}
	return record;
}

const askedOf = block => block.ask ?? block.items.length;

/** Refuse a design that cannot be applied exactly as published. */
function checkDesign(design) {
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

/** Kinds of block by the field that marks them, loaded if needed. */
const KINDS = {
	'by-gamma': () => import('./kinds/by-gamma.js'),
	keep: () => import('./kinds/coin.js'),
	flips: () => import('./kinds/flips.js'),
	'group-of': () => import('./kinds/group-of.js'),
	names: () => import('./kinds/names.js'),
	number: () => import('./kinds/number.js'),
	'one-of': () => import('./kinds/one-of.js'),
	'one-sided': () => import('./kinds/one-sided.js'),
	draw: () => import('./kinds/person.js'),
	place: () => import('./kinds/place.js'),
};
const USUAL = {
	answers: ({options}) => options,
	fits: ({options}, code) => isWhole(code, 0, options.length - 1),
	codeOf: ({options}, value) => options.indexOf(value),
	textOf: ({options}, code) => options[code],
	open: () => null,
};
const loaded = {};

const fieldsOf = block => (block.draw ? ['draw'] : Object.keys(KINDS).filter(field => field in block));

export const loadKinds = ({blocks}) =>
	Promise.all(
		blocks.flatMap(fieldsOf).map(async field => {
			loaded[field] ??= {...USUAL, ...(await KINDS[field]())};
		}),
	);

export function kindOf(block) {
	const [field, ...others] = fieldsOf(block);
	insist(loaded[field] && !others.length, 'a block is of no kind that is known here');
	return loaded[field];
}

// How much a record can tell of a person: the odds of two true answers grow at most by gamma (Evfimievski, Gehrke,
// Srikant 2003). Factors of blocks multiply; a sampled block counts by the asked items that protect least. Where one
// answer is open, the odds are those of what is hidden. Only the last step rounds, up.

/** Infinity where some record would give an answer away. */
export function odds(design) {
	checkDesign(design);
	const factors = design.blocks.flatMap(block => kindOf(block).factors(block));
	return upwards(product(factors.map(({over}) => over)), product(factors.map(({under}) => under)));
}

/** How sure someone can become who gave it 5 %, or other odds: gamma / (19 + gamma), rounded up to whole percent. */
export function sure(factor, against = 19n) {
	if (factor > 1e6) return 1;
	const over = BigInt(factor * 2 ** 53);
	const under = over + (against << 53n);
	return Number((100n * over + under - 1n) / under) / 100;
}

/** The least floating-point number, of 53 binary digits, not below over / under. */
function upwards(over, under) {
	if (under === 0n) return Infinity;
	const scaled = ((over << 53n) + under - 1n) / under; // over is not below under: at least 54 binary digits
	const rest = BigInt(scaled.toString(2).length - 53);
	return Number(-(-scaled >> rest) << rest) / 2 ** 53;
}
