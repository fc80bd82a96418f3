// A disguise in frequencies: so many of ten people, all figures of a sentence out of one number. Each counts people
// about whom somebody would be wrong, rounded down. Exact, as whole numbers: a share is [over, under].

const PEOPLE = [10n, 100n, 1000n, 10000n, 100000n];
const STEPS = 2n ** 28n; // a chance of .42 is held in steps of 2^-32, and can lie this little below 42 of 100

const rounded = ([over, under], people) => ((over * STEPS + under) * people) / (under * STEPS);

/** How many people: ten, unless rounding then hides more than a tenth of a share; and how many each share is. */
export function ofPeople(shares) {
	const hides = people =>
		shares.some(([over, under]) => 10n * (over * people - rounded([over, under], people) * under) > over * people);
	const of = PEOPLE.find(people => !hides(people)) ?? PEOPLE.at(-1);
	return {of: Number(of), some: shares.map(share => Number(rounded(share, of)))};
}

export const YES = {en: 'Yes', 'zh-hans': '是'};
export const NO = {en: 'No', 'zh-hans': '否'};

/** What becomes of one yes/no answer: a sentence of the page, with the names of what is said and what is stored. */
export const stored = (said, as) => ['storedAs', {said, stored: as}];

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
