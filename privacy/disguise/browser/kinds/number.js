// A number: your device adds a random number to yours, or by a square wave sends one that is near yours or far from it.
// All in whole steps; codes count them from the least number that a record may hold.

import {below, draw, insist, isShares, isWhole, ofPeople, ONE} from '../chances.js';

const MOST = 2 ** 16;

/** Where a noise takes a step x: to a place of 0 … steps + 2 · reach - 1, of which x … x + 2 · reach are near. */
const NOISES = {
	uniform: {
		reach: ({reach}) => reach,
		check: () => true,
		place: ({reach}, step, take) => step + below(2 * reach + 1, take),
	},
	normal: {
		reach: ({weights}) => weights.length - 1,
		check: ({block: {weights}}) => isShares(mirrored(weights), 2 * weights.length - 1),
		place: ({block: {weights}}, step, take) => step + draw(mirrored(weights), take),
	},
	'square-wave': {
		reach: ({reach}) => reach,
		check: ({block: {inside}}) => isWhole(inside, 1, ONE - 1),
		place({block: {inside}, reach, steps}, step, take) {
			const isNear = take() < inside;
			const near = step + below(2 * reach + 1, take);
			const far = below(steps - 1, take);
			return isNear ? near : far + (far < step ? 0 : 2 * reach + 1);
		},
	},
};
const mirrored = ([middle, ...side]) => [...[...side].reverse(), middle, ...side];

const EDGES = {
	open: place => place,
	wrap: (place, {steps, reach}) => (((place - reach) % steps) + steps) % steps,
};

/** The block in steps: how many there are, the code of the first, and how many codes records have. */
function line(block) {
	const {
		number,
		edge = 'open',
		mix = ONE,
		items: [{min, max, step}],
	} = block;
	const [steps, reach] = [Math.round((max - min) / step) + 1, NOISES[number].reach(block)];
	const first = edge === 'open' ? reach : 0;
	return {block, steps, reach, first, size: steps + 2 * first, edge, mix};
}

export function check(block) {
	const {number, items, edge = 'open', mix = ONE} = block;
	insist(
		items.length === 1 && Object.hasOwn(NOISES, number) && Object.hasOwn(EDGES, edge),
		'its noise is none that is known here',
	);
	const own = line(block);
	insist(
		isWhole(own.reach, 1, MOST) && isWhole(own.size, 2, MOST) && NOISES[number].check(own),
		'its noise has no such numbers',
	);
	insist(isWhole(mix, 1, ONE), 'its mix is no chance above 0');
	insist(!block.weights?.some((weight, place, all) => weight > all[place - 1]), 'its noise grows with the distance');
}

/** With a mix a word that keeps or not; the noise; with a mix any number that a record may hold. */
export function disguise(block, items, [truth], take) {
	const own = line(block);
	const isKept = own.mix === ONE || take() < own.mix;
	const noisy = EDGES[own.edge](NOISES[block.number].place(own, truth - own.first, take), own);
	const any = own.mix < ONE && below(own.size, take);
	return [isKept ? noisy : any];
}

export const answers = ({min, max, step}) => [min, max, step];
export function fits(item, code, block) {
	const {first, steps} = line(block);
	return isWhole(code, first, first + steps - 1);
}
export const codeOf = ({min, step}, text, block) => Math.round((text - min) / step) + line(block).first;
export const textOf = ({min, step}, code, block) => plain(min + (code - line(block).first) * step);

/** A record that stands for others in an explanation: the one of the middle number. */
export function example(block) {
	const {first, steps} = line(block);
	return first + Math.floor(steps / 2);
}

const plain = number => `${Number(number.toPrecision(12))}`;

/** The noise of each number, what becomes of its edges, and how often any number is sent. */
export const explain = blocks =>
	blocks.map(block => {
		const {steps, first, size, edge, mix, reach} = line(block);
		const [item] = block.items;
		const [low, high, least, most] = [first, first + steps - 1, 0, size - 1].map(code =>
			textOf(item, code, block).replace('-', '−'),
		);
		const said = [noiseOf(block, reach)];
		if (edge === 'wrap') said.push([words.wrap, {low, high}]);
		if (mix < ONE) {
			const {
				of,
				some: [some],
			} = ofPeople([[BigInt(ONE - mix), one]]);
			said.push([words.mixed, {of, some, low: least, high: most}]);
		}
		return [[block], said];
	});

function noiseOf({number, weights, inside, items: [{step}]}, reach) {
	if (number === 'uniform') return [words.uniform, {reach: plain(reach * step)}];
	if (number === 'square-wave') {
		const {
			of,
			some: [some],
		} = ofPeople([[BigInt(ONE - inside), one]]);
		return [words.wave, {of, some, reach: plain(reach * step)}];
	}
	let [beyond, distance] = [ONE, 0];
	const at = () => weights[distance] * (distance ? 2 : 1);
	for (; 2 * (beyond - at()) >= ONE; distance += 1) beyond -= at();
	const {
		of,
		some: [some],
	} = ofPeople([[BigInt(beyond), one]]);
	return [words.normal, {of, some, distance: plain(distance * step)}];
}

const one = BigInt(ONE);
const sum = shares => shares.reduce((all, share) => all + share, 0n);

/** The chances of the places near a step, and of any other, as whole numbers. */
const CHANCES = {
	uniform: ({reach}) => ({near: Array(2 * reach + 1).fill(1n), far: 0n, of: BigInt(2 * reach + 1)}),
	normal: ({block: {weights}}) => ({near: mirrored(weights).map(BigInt), far: 0n, of: one}),
	'square-wave': ({block: {inside}, reach, steps}) => {
		const [width, others] = [BigInt(2 * reach + 1), BigInt(steps - 1)];
		return {
			near: Array(2 * reach + 1).fill(BigInt(inside) * others),
			far: BigInt(ONE - inside) * width,
			of: one * width * others,
		};
	},
};

/** P(code | step) for every code, as whole numbers over `of`. */
function channel(block) {
	const own = line(block);
	const {near, far, of} = CHANCES[block.number](own);
	const [mix, size] = [BigInt(own.mix), BigInt(own.size)];
	const noisy = (step, code) => {
		if (own.edge === 'open') return near[code - step] ?? far;
		const at = code - step + own.reach;
		return sum(near.filter((_, place) => (place - at) % own.steps === 0));
	};
	return {...own, of: of * one * size, chance: (step, code) => mix * noisy(step, code) * size + (one - mix) * of};
}

const range = size => Array.from({length: size}, (_, place) => place);
const least = numbers => numbers.reduce((a, b) => (a < b ? a : b));
const most = numbers => numbers.reduce((a, b) => (a > b ? a : b));

/** The largest ratio of a record: the chance of a record falls with the distance, and the ends are farthest. */
export function factors(block) {
	const {steps, first, size, edge, chance} = channel(block);
	const ratios = range(edge === 'wrap' ? 1 : size).map(code => {
		const nearest = Math.min(Math.max(code - first, 0), steps - 1);
		const chances = (edge === 'wrap' ? range(steps) : [0, nearest, steps - 1]).map(step => chance(step, code));
		return {over: most(chances), under: least(chances)};
	});
	return [ratios.reduce((a, b) => (a.over * b.under < b.over * a.under ? b : a))];
}

/** How many people with any other number send this one, too. */
export function others(block, {code}) {
	const {steps, chance, edge, of} = channel(block);
	return [least((edge === 'wrap' ? range(steps) : [0, steps - 1]).map(step => chance(step, code))), of];
}

/** The names of its texts in each language. */
export const words = {
	how: 'number.how',
	uniform: 'number.uniform',
	normal: 'number.normal',
	wave: 'number.wave',
	wrap: 'number.wrap',
	mixed: 'number.mixed',
};
