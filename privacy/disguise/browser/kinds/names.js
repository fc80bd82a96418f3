// A coin by gamma that names several: your device sends a set of answers that you may give together. Yours are in it
// more often than any others. Sets are steps on a circle of points: all answers and few more, so that any two are
// together as often.

import {below, insist, isWhole, ofPeople, ONE} from '../chances.js';

export function check(block) {
	insist(isWhole(block.gamma, ONE + 1, ONE * 2 ** 16), 'it goes by no gamma');
	const fits = cells => cells <= 256 && isWhole(block.names, 2, cells / 2);
	insist(cellsOf(block.items, askedOf(block)).every(fits), 'it names too few answers, or too many');
}

/** The first odd number that nothing below `names` divides. */
function pointsFor(names, cells) {
	const less = Array.from({length: Math.max(names - 2, 1)}, (_, place) => place + 2);
	return less.every(number => cells % number) ? cells : pointsFor(names, cells + 1);
}

/** The chance that yours are in the set, gamma * names / (gamma * names + points - names), rounded down. */
function coinOf({names, gamma}, cells) {
	const points = pointsFor(names, cells);
	const over = BigInt(gamma) * BigInt(names);
	const inside = Number((over * BigInt(ONE)) / (over + BigInt(points - names) * BigInt(ONE)));
	return {cells, points, steps: (points - 1) / 2, inside};
}

/** How many answers may be given together, for each choice of so many questions. */
function cellsOf([first, ...rest], ask) {
	if (!ask || !first) return ask ? [] : [1];
	return [...cellsOf(rest, ask - 1).map(cells => cells * first.options.length), ...cellsOf(rest, ask)];
}

const askedOf = ({items, ask = items.length}) => ask;
const coinsOf = block => [...new Set(cellsOf(block.items, askedOf(block)))].map(cells => coinOf(block, cells));

/** Each question shows a number below this one; together they write that of the set, the first the lowest digit. */
function sizeOf(block) {
	const most = Math.max(...coinsOf(block).map(({points, steps}) => points * steps));
	let size = Math.max(...block.items.map(({options}) => options.length));
	while (size ** askedOf(block) < most) size += 1;
	return size;
}

const divisor = (one, other) => (other ? divisor(other, one % other) : one);

/** Words for whether yours are in the set, for a place in it and one beside it, and for its step. */
export function disguise(block, items, truth, take) {
	const {points, steps, inside} = coinOf(block, cellsOf(items, items.length)[0]);
	const isIn = take() < inside;
	const near = below(block.names, take);
	const far = block.names + below(points - block.names, take);
	const turn = isIn ? near : far;
	const step = 1 + below(steps, take);
	const cell = truth.reduce((all, code, place) => all * items[place].options.length + code, 0);
	const back = step * turn + Math.floor((turn * divisor(step, points)) / points); // a round may leave some out
	const start = (cell + points - (back % points)) % points;
	const size = sizeOf(block);
	return items.map((_, place) => Math.floor(((step - 1) * points + start) / size ** place) % size);
}

/** The odds of the coin that spends most; rounding leaves each a little below gamma. */
export const factors = block =>
	coinsOf(block)
		.map(({points, inside}) => [inside * (points - block.names), (ONE - inside) * block.names].map(BigInt))
		.map(([over, under]) => ({over, under}))
		.sort((one, other) => (one.over * other.under > other.over * one.under ? -1 : 1))
		.slice(0, 1);

/** How often yours are named, and others, of what is asked where that is likeliest. */
export const explain = blocks =>
	blocks.map(block => {
		const [{cells, points, inside}] = coinsOf(block).sort((one, other) => other.inside - one.inside);
		const shares = [(ONE - inside) * (points - 1), block.names * ONE - inside].map(BigInt);
		const {of, some} = ofPeople(shares.map(share => [share, BigInt(ONE * (points - 1))]));
		const figures = {named: block.names, cells, of, yours: of - some[0], other: some[1]};
		return [[block], [[words.several[Math.min(askedOf(block), 3) - 1], figures]]];
	});

/** No answer is sent; a code has the text of some option, which nothing shows. */
export const shows = ({items}) => items.map(() => false);
export const textOf = ({options: [any]}) => any;
export function group(block, sent) {
	const codes = sent.filter(code => code !== null);
	return {number: `${codes.reduceRight((number, code) => number * sizeOf(block) + code, 0)}`};
}

export const changes = false;

export const words = {how: 'names.how', group: 'names.set', several: ['names.one', 'names.pair', 'names.more']};
