// Runs the shipped browser module for the tests: a job on standard input, its result on standard output.
//   node run_disguise.mjs <disguise.js> words     {"asked": [...], "disguise": [...]}: the vectors' answers, in order
//   node run_disguise.mjs <disguise.js> channel   {"design", "inputs", "draws", "seed"}: how often each record came
import {readFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const {disguise, drawAsked, loadKinds} = await import(pathToFileURL(process.argv[2]));
const job = JSON.parse(readFileSync(0, 'utf8'));
for (const {design} of [job, ...(job.asked ?? []), ...(job.disguise ?? [])]) if (design) await loadKinds(design);

/** The result that given words lead to, and how many of them are left. */
function given(words, run) {
	let next = 0;
	const result = run(() => {
		if (next === words.length) throw new Error('the words are used up');
		return words[next++];
	});
	return {result, left: words.length - next};
}

/** sfc32 (Doty-Humphrey): a small generator that passes PractRand, so that a test can be repeated. */
function seeded(seed) {
	let [a, b, c, counter] = [seed, 0x9e3779b9, 0x243f6a88, 1];
	const take = () => {
		const word = (a + b + counter) >>> 0;
		counter = (counter + 1) >>> 0;
		a = b ^ (b >>> 9);
		b = (c + (c << 3)) >>> 0;
		c = (((c << 21) | (c >>> 11)) + word) >>> 0;
		return word;
	};
	for (let warm = 0; warm < 15; warm += 1) take();
	return take;
}

/** For each input and block, how often each record came: its codes as the digits of a number to the base 6, 5 for
 * null. */
function channel({design, inputs, draws, seed}) {
	const take = seed === null ? undefined : seeded(seed);
	const ends = [];
	for (const block of design.blocks) ends.push((ends.at(-1) ?? 0) + block.items.length);
	return inputs.map(truth => {
		const counts = design.blocks.map(block => Array(6 ** block.items.length).fill(0));
		for (let draw = 0; draw < draws; draw += 1) {
			const asked = drawAsked(design, take);
			const record = disguise(
				design,
				truth.map((answer, place) => (asked[place] ? answer : null)),
				asked,
				take,
			);
			let place = 0;
			ends.forEach((end, block) => {
				let key = 0;
				for (; place < end; place += 1) key = key * 6 + (record[place] ?? 5);
				counts[block][key] += 1;
			});
		}
		return counts;
	});
}

const results =
	process.argv[3] === 'channel'
		? channel(job)
		: {
				asked: job.asked.map(({design, words}) => given(words, take => drawAsked(design, take))),
				disguise: job.disguise.map(({design, answers, words}) =>
					given(words, take =>
						disguise(
							design,
							answers,
							answers.map(answer => answer !== null),
							take,
						),
					),
				),
			};
process.stdout.write(JSON.stringify(results));
