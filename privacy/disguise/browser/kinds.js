// The kinds of block, a line each: the field of such a block, and the module that knows it
// (kinds/README.md), loaded where a design has one.

import {insist, isWhole} from './chances.js';

const KINDS = {
	keep: () => import('./kinds/coin.js'),
	flips: () => import('./kinds/flips.js'),
	number: () => import('./kinds/number.js'),
	'one-sided': () => import('./kinds/one-sided.js'),
	patterned: () => import('./kinds/patterned.js'),
	place: () => import('./kinds/place.js'),
};
const USUAL = {
	answers: ({options}) => options,
	fits: ({options}, code) => isWhole(code, 0, options.length - 1),
	codeOf: ({options}, value) => options.indexOf(value),
	textOf: ({options}, code) => options[code],
};
const loaded = {};

const fieldsOf = block => Object.keys(KINDS).filter(field => field in block);

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
