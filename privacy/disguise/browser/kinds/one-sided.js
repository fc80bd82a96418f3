// A one-sided block leaves one of your two answers open: that one, the `harmless` one, is turned into the other with
// the chance `one-sided`, each for itself; the other always stays. So the other may come from anybody.

import {insist, isWhole, NO, ONE, paired, stored, YES} from '../chances.js';

export function check({'one-sided': turned, items}) {
	insist(isWhole(turned, 1, ONE), 'a harmless answer is turned with no chance above 0 and up to 1');
	const isMarked = ({options, harmless}) => `${options}` === '0,1' && options.includes(harmless);
	insist(items.every(isMarked), 'a question has no harmless answer');
}

/** A word for every answer, used or not. */
export const disguise = ({'one-sided': turned}, items, truth, take) =>
	truth.map((answer, place) => (take() < turned ? 1 - items[place].harmless : answer));

/** For every question asked, the other answer comes 1 / g times as often from those of whom it is true. */
export const factors = ({'one-sided': turned, items, ask}) =>
	items.slice(0, ask).map(() => ({over: BigInt(ONE), under: BigInt(turned)}));

const namesOf = harmless => {
	const [open, hidden] = harmless === '0' ? [NO, YES] : [YES, NO];
	return {open, hidden};
};

/** None, where every harmless answer is turned: none is stored. */
export const open = ({'one-sided': turned, items: [{harmless}]}) => turned < ONE && namesOf(harmless);

/** Which answer is not hidden, and how often it comes as the other one. */
export const explain = blocks => [
	[
		blocks,
		['0', '1'].flatMap(harmless => {
			const turned = blocks.flatMap(({'one-sided': share, items}) =>
				items.filter(item => item.harmless === harmless).map(() => [[BigInt(share), BigInt(ONE)]]),
			);
			const names = namesOf(harmless);
			return paired([stored(names.open, names.hidden)], turned).flatMap(becomes => [
				...(turned.some(([[over, under]]) => over < under) ? [[words.open, names]] : []),
				becomes,
				...(becomes[1].some ? [[words.so, names]] : []),
			]);
		}),
	],
];

/** How many people with the other answer send this one, too. */
export const others = ({'one-sided': turned}, {code, harmless}) => [
	BigInt(code === Number(harmless) ? 0 : turned),
	BigInt(ONE),
];

/** The names of its texts in each language. */
export const words = {
	how: 'one-sided.how',
	open: 'one-sided.open',
	so: 'one-sided.so',
	together: 'one-sided.together',
	believed: 'one-sided.believed',
	second: 'one-sided.second',
	sent: 'one-sided.sent',
	stored: 'one-sided.stored',
	others: 'one-sided.others',
};
