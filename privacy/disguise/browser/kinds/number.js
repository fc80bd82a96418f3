// A number: by a square wave your device sends one that is near yours, or one that is far from it.
// All in whole steps; codes count them from the least number that a record may hold.

import {below, insist, isWhole, ofPeople, ONE} from '../chances.js';

const MOST = 2 ** 16;

/** The block in steps: how many there are, how far near ones reach, and how many codes records have. */
function line({reach, inside, items: [{min, max, step}]}) {
	const steps = Math.round((max - min) / step) + 1;
	return {steps, reach, inside, size: steps + 2 * reach};
}

export function check(block) {
	insist(block.items.length === 1 && block.number === 'square-wave', 'its noise is none that is known here');
	const {reach, inside, size} = line(block);
	insist(
		isWhole(reach, 1, MOST) && isWhole(size, 2, MOST) && isWhole(inside, 1, ONE - 1),
		'its noise has no such numbers',
	);
}

/** A word that says near or far, a number that is near, and one of all others. */
export function disguise(block, items, [truth], take) {
	const {steps, reach, inside} = line(block);
	const step = truth - reach;
	const isNear = take() < inside;
	const near = step + below(2 * reach + 1, take);
	const far = below(steps - 1, take);
	return [isNear ? near : far + (far < step ? 0 : 2 * reach + 1)];
}

export const answers = ({min, max, step}) => [min, max, step];
export function fits(item, code, block) {
	const {reach, steps} = line(block);
	return isWhole(code, reach, reach + steps - 1);
}
export const codeOf = ({min, step}, text, block) => Math.round((text - min) / step) + block.reach;
export const textOf = ({min, step}, code, block) => plain(min + (code - block.reach) * step);

/** A record that stands for others in an explanation: the one of the middle number. */
export function example(block) {
	const {reach, steps} = line(block);
	return reach + Math.floor(steps / 2);
}

const plain = number => `${Number(number.toPrecision(12))}`;

/** How many send a number far from theirs, and how far that is. */
export const explain = blocks =>
	blocks.map(block => {
		const {
			of,
			some: [some],
		} = ofPeople([[BigInt(ONE - block.inside), one]]);
		return [[block], [[words.wave, {of, some, reach: plain(block.reach * block.items[0].step)}]]];
	});

const one = BigInt(ONE);

/** The chances of a number near the true one, and of any other, as whole numbers over `of`. */
function chances(block) {
	const {steps, reach, inside} = line(block);
	const [width, rest] = [BigInt(2 * reach + 1), BigInt(steps - 1)];
	return {near: BigInt(inside) * rest, far: BigInt(ONE - inside) * width, of: one * width * rest};
}

/** The largest ratio of a record: that of the least number is near for one end, and far for the other. */
export function factors(block) {
	const {near, far} = chances(block);
	return [near < far ? {over: far, under: near} : {over: near, under: far}];
}

/** How many people with any other number send this one, too: it may be near for all of them. */
export function others(block, {code}) {
	const [{steps, reach}, {near, far, of}] = [line(block), chances(block)];
	return [code >= steps - 1 && code <= 2 * reach ? near : far, of];
}

/** The names of its texts in each language. */
export const words = {how: 'number.how', wave: 'number.wave'};
