// How much a record can tell about a person, worked out in the browser from the design.
//
// The odds between two true answers grow by a disguised record, at most by gamma (Evfimievski, Gehrke, Srikant 2003).
// Blocks are disguised apart: their factors multiply; a sampled block counts by the asked items that protect least, one
// with the codes `sent` by these. Where one answer is open, the odds are those of what is hidden. Exact; only the last
// step rounds, up.

import {product} from './chances.js';
import {checkDesign} from './disguise.js';
import {kindOf} from './kinds.js';

/** Infinity where some record would give an answer away for certain. */
export function odds(design) {
	checkDesign(design);
	const factors = design.blocks.flatMap(block => kindOf(block).factors(block));
	return upwards(product(factors.map(({over}) => over)), product(factors.map(({under}) => under)));
}

/** How sure someone can become who gave it 5 %: gamma / (19 + gamma), exactly, rounded up to whole percent. */
export function sure(factor) {
	if (factor > 1e6) return 1;
	const over = BigInt(factor * 2 ** 53);
	const under = over + (19n << 53n);
	return Number((100n * over + under - 1n) / under) / 100;
}

/** The least floating-point number, of 53 binary digits, not below over / under. */
function upwards(over, under) {
	if (under === 0n) return Infinity;
	const scaled = ((over << 53n) + under - 1n) / under; // over is not below under: at least 54 binary digits
	const rest = BigInt(scaled.toString(2).length - 53);
	return Number(-(-scaled >> rest) << rest) / 2 ** 53;
}
