// What kinds of block share. Chances are whole numbers out of 2^32. Each decision compares one with a fresh random
// word, so that it comes exactly as often as published.

export const ONE = 2 ** 32;

/** A random number below 2^32. There is no other source. */
export const randomWord = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** A number drawn by its share of 2^32: the first at which the shares, added up, exceed the word. */
export function draw(shares, take) {
	let left = take();
	return shares.findIndex(share => {
		left -= share;
		return left < 0;
	});
}

/** `count` of `size` places, every set as likely: each is chosen by (still to choose) / (still to pass). */
export function choose(count, size, take) {
	const chosen = [];
	let left = count;
	for (let rest = size; rest > 0; rest -= 1) {
		chosen.push(below(rest, take) < left);
		left -= chosen.at(-1);
	}
	return chosen;
}

/** A whole number below `bound`, each as likely: a word from the uneven end is drawn again. */
export function below(bound, take = randomWord) {
	for (;;) {
		const word = take();
		if (word < ONE - (ONE % bound)) return word % bound;
	}
}

export const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

export function isShares(shares, count) {
	const whole = Array.isArray(shares) && shares.length === count && shares.every(share => isWhole(share, 0, ONE));
	return whole && shares.reduce((sum, share) => sum + share) === ONE;
}

export const product = numbers => numbers.reduce((result, number) => result * number, 1n);

export function insist(condition, otherwise) {
	if (!condition) throw new RangeError(`This design or these answers cannot be used: ${otherwise}.`);
}

// A disguise in frequencies: so many of a hundred people, all figures of a sentence out of one number. Each counts
// people about whom somebody would be wrong, rounded down. Exact: a share is [over, under], whole.

const PEOPLE = [100n, 1000n, 10000n, 100000n];
const STEPS = 2n ** 28n; // a chance of .42 in steps of 2^-32 may lie so little below 42 of 100

const rounded = ([over, under], people) => ((over * STEPS + under) * people) / (under * STEPS);

/** A hundred people, or more where rounding hides more than a tenth of a share; and how many each share is. */
export function ofPeople(shares) {
	const hides = people =>
		shares.some(([over, under]) => 10n * (over * people - rounded([over, under], people) * under) > over * people);
	const of = PEOPLE.find(people => !hides(people)) ?? PEOPLE.at(-1);
	return {of: Number(of), some: shares.map(share => Number(rounded(share, of)))};
}

// Figures that are texts, by their names.
export const YES = {text: 'yes'};
export const NO = {text: 'no'};

const keys = ['storedAsFull', 'storedAsOpen'];

/** What becomes of one yes/no answer: a sentence of the page, with the names of what is said and what is stored. */
export const stored = (said, as) => ['storedAs', {said, stored: as, keys}];

/** Texts, each with its share of every pair: the least, all over one number of people; `more`: others are more. */
export function paired(texts, pairs) {
	if (!pairs.length) return [];
	const columns = texts.map((_, place) =>
		pairs.map(pair => pair[place]).sort(([a, b], [c, d]) => (a * d < c * b ? -1 : 1)),
	);
	const {of, some} = ofPeople(columns.map(([least]) => least));
	return texts.map(([text, names], place) => [
		text,
		{of, some: some[place], more: rounded(columns[place].at(-1), BigInt(of)) > some[place], ...names},
	]);
}
