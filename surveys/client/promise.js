// What people are told of a disguise, and of what it sent: in frequencies with pictures, and exactly.

import {ofPeople} from './frequencies.js';
import {kindOf} from './kinds.js';
import {percent, say} from './language.js';
import {h, p, svg} from './page.js';
import {odds, sure} from './protection.js';

const PRIOR = 0.05;

/** The names of an open answer, if there is one, and of the other. */
export const openOf = block => kindOf(block).open?.(block);

export const isPartly = design => design.blocks.some(openOf);

export const wordsOfOpen = blocks => blocks.filter(openOf).map(block => kindOf(block).words)[0] ?? {};

const asked = blocks => blocks.reduce((sum, {ask, items}) => sum + (ask ?? items.length), 0);

/** What all answers together tell at most, and of which: an open answer to one question may tell of another. */
function bounds(design) {
	const whole = design.blocks.filter(block => !openOf(block));
	const open = isPartly(design) && wordsOfOpen(design.blocks);
	const bound = (blocks, words, so) => ({blocks, odds: odds({...design, blocks}), words, so});
	return [
		open && bound(design.blocks, open),
		whole.length &&
			bound(whole, {together: 'together', sent: 'yours', believed: open.others ?? 'sentence'}, open ? 'soAlone' : 'so'),
	].filter(Boolean);
}

/** What they tell, but where they hide hardly anything: `tell` of one bound. */
const ofAll = (design, tell) =>
	bounds(design).flatMap(bound => [
		...(bound.so === 'soAlone' ? [['alone']] : []),
		...(sure(bound.odds) === 1 ? [['weak']] : tell(bound)),
	]);

/** Of people with the same stored answers, half of whom were thought to answer so: how many would not, at least. */
function crowd({odds: most, words: {together}}) {
	const {
		of,
		some: [some],
	} = ofPeople([[2n ** 53n, 2n ** 53n + BigInt(most * 2 ** 53)]]);
	return [together, {of, some, most: of - some}];
}

/** Sentences: a text with its figures. */
export function frequencies(design) {
	const kinds = [...new Set(design.blocks.map(kindOf))];
	const alike = kinds.flatMap(kind => kind.explain(design.blocks.filter(block => kindOf(block) === kind)));
	const one = alike.flatMap(([blocks, texts]) => [
		...(alike.length > 1 ? [['some', {count: asked(blocks)}]] : []),
		...texts,
	]);
	return [
		['changes'],
		...one,
		...ofAll(design, bound => [
			...(bound.so ? [[bound.so]] : []),
			...(asked(bound.blocks) > 1 ? [['more'], crowd(bound)] : []),
		]),
	];
}

/** The same of one record: all of it may be chance's. Where only open answers were sent, nothing is hidden. */
export function ofRecord(design, record, arm) {
	let end = 0;
	const blocks = design.blocks.map(block => {
		const start = end;
		end += block.items.length;
		return {...block, ...block[arm], sent: record.slice(start, end)};
	});
	return ofAll({...design, blocks}, bound => [
		[bound.words.sent],
		...(bound.so || bound.odds > 1 ? [crowd(bound)] : []),
	]);
}

const PERSON = 'M6 1a2 2 0 1 1 0 5 2 2 0 1 1 0-5zM2 15c0-9 8-9 8 0z';

/** Ten figures; as many of them are filled as the sentence says, or fewer. */
function people({of, some}) {
	const filled = Math.floor((10 * some) / of);
	return (
		filled > 0 &&
		svg(
			'svg',
			{class: 'people', viewBox: '0 0 120 16', role: 'img', 'aria-label': say('picture', {filled})},
			Array.from({length: 10}, (_, place) =>
				svg('path', {d: PERSON, transform: `translate(${place * 12})`, class: place < filled && 'filled'}),
			),
		)
	);
}

const caption = ({of, some}) => of > 10 && 10 * some >= of && p('help', say('pictured', {each: of / 10, some}));

export const inWords = ([text, {more, ...figures} = {}]) =>
	say(text, {...figures, some: more ? say('orMore', figures) : figures.some});

export const inFrequencies = sentences =>
	sentences.map(said => [p('told', inWords(said), said[1]?.some && people(said[1])), caption(said[1] ?? {})]);

/** The same in chances, with a bar for what was believed before and one for after. */
export const exactly = design =>
	bounds(design).map(({odds: most, words: {believed}}) => {
		const bound = sure(most);
		return [
			p('', say(bound < 1 ? believed : 'weak', {prior: percent(PRIOR), posterior: percent(bound)})),
			h(
				'p',
				{class: 'shares', 'aria-hidden': 'true'},
				[PRIOR, bound].map(share => [h('progress', {value: share}), percent(share)]),
			),
		];
	});
