// Chances are whole numbers out of 2^32. Each decision compares one with a fresh word of your browser's cryptographic
// generator: what is decided comes exactly as often as published.

export const ONE = 2 ** 32;

/** A random number from 0 to 2^32 - 1. There is no other source. */
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
