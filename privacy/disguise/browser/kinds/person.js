// A block whose chance people draw themselves, with a birthday, a die or a digit (`draw`). What they press is the record:
// nothing is changed here. It hides as the coin, or the one-sided block, with the same numbers.

import {insist, isShares, isWhole, NO, ONE, paired, YES} from '../chances.js';

const ROUNDED = 2 ** 12; // of odds: chances are numerators of 2^32

export function check({keep = ONE - 1, 'one-sided': turned, items, ask = items.length, by, draw}) {
	const labels = draw.outcomes.flatMap(({of}) => of);
	insist(by === 'person' && labels.length === new Set(labels).size, 'an outcome has two meanings');
	const isFair = turned ? isWhole(turned, 1, ONE) : items.every(({noise}) => isShares(noise, 2));
	insist(isFair && isWhole(keep, 1, ONE - 1), 'its chances are none');
	const least = items.map(({noise = [0]}) => Math.min(...noise) / ONE).sort((a, b) => a - b);
	const rarest = ((ONE - keep) / ONE) * least.slice(0, ask).reduce((all, one) => all * one, 1);
	const most = turned ? (ONE / turned) ** ask : 1 + keep / ONE / rarest;
	insist(Number.isInteger(draw.odds) && draw.odds + ROUNDED >= most * ONE, 'it promises more than its chances keep');
}

/** What was pressed. */
export const disguise = (_block, _items, truth) => truth;

/** What the design says of its odds: those of the worst chances that its source may have, rounded up. */
export const factors = ({draw}) => [{over: BigInt(draw.odds), under: BigInt(ONE)}];

/** By the draw a person with one answer presses what most press with the other, at the end of `delta` where least do. */
export function explain(blocks) {
	const hidden = code =>
		blocks
			.filter(block => !(code && open(block)))
			.flatMap(block => block.items.map(item => [others(block, {...item, code: 1 - code})]));
	const keys = ['person.pressFull', 'person.pressOpen'];
	const pressed = (said, text) => [['person.press', {said, stored: {text}, keys}]];
	return [
		[blocks, [['person.how'], ...paired(pressed(NO, keys[0]), hidden(0)), ...paired(pressed(YES, keys[1]), hidden(1))]],
	];
}

/** How many people with the other answer press the button of this code, too; none where that one is not hidden. */
export function others({keep, 'one-sided': turned, draw}, {noise, code}) {
	const [stays, drawn] = turned ? [ONE, turned * code] : [ONE - keep, noise[code]];
	return less(BigInt(stays) * BigInt(drawn), draw.delta);
}

function less(away, [part, of]) {
	const [over, off] = [away * BigInt(of), (BigInt(part) * BigInt(ONE)) << 32n];
	return [over > off ? over - off : 0n, BigInt(of) << 64n];
}

const NAMES = {open: NO, hidden: YES};

/** The answer that is not hidden, where a fact can only speak for the other. */
export const open = block => ('one-sided' in block ? NAMES : null);

export const origin = () => 'person.origin';

export const changes = false;

/** The names of its texts in each language. */
export const words = {
	how: 'person.how',
	differs: 'person.differs',
	nobodyKnows: 'person.nobodyKnows',
	open: 'one-sided.open',
	together: 'one-sided.together',
	believed: 'one-sided.believed',
	second: 'one-sided.second',
	sent: 'one-sided.sent',
	stored: 'one-sided.stored',
	others: 'one-sided.others',
};
