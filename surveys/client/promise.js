// What people read about a disguise before they answer: in frequencies with pictures, and exactly.

import {ofPeople} from './chances.js';
import {kindOf, odds, sure} from './disguise.js';
import {questionsOf} from './exchange.js';
import {button, gap, h, icon, p, percent, say, show, spoken, svg, textOf, unloaded, written} from './page.js';

/** The names of an open answer, if there is one, and of the other. */
const openOf = block => kindOf(block).open(block);

export const isPartly = design => design.blocks.some(openOf);

const wordsOfOpen = blocks => blocks.filter(openOf).map(block => kindOf(block).words)[0] ?? {};

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
export const ofAll = (design, tell) =>
	bounds(design).flatMap(bound => [
		...(bound.so === 'soAlone' ? [['alone']] : []),
		...(sure(bound.odds) === 1 ? [['weak']] : tell(bound)),
	]);

/** Of people with the same stored answers, half of whom were thought to answer so: how many would not, at least. */
export function crowd({odds: most, words: {together}}) {
	const {
		of,
		some: [some],
	} = ofPeople([[2n ** 53n, 2n ** 53n + BigInt(most * 2 ** 53)]]);
	return [together, {of, some, most: of - some}];
}

export function frequencies(design, count = asked(design.blocks)) {
	const kinds = [...new Set(design.blocks.map(kindOf))];
	const alike = kinds.flatMap(kind => kind.explain(design.blocks.filter(block => kindOf(block) === kind)));
	const one = alike.flatMap(([blocks, texts]) =>
		alike.length > 1
			? [['some', {count: asked(blocks)}], ...texts]
			: texts.map(([text, figures]) => [text, {...figures, count}]),
	);
	return [
		...(kinds.some(({changes = true}) => changes) ? [['changes']] : []),
		...one,
		...ofAll(design, bound => [
			...(bound.so ? [[bound.so]] : []),
			...(asked(bound.blocks) > 1 ? [['more'], crowd(bound)] : []),
		]),
	];
}

const PERSON = 'M6 1a2 2 0 1 1 0 5 2 2 0 1 1 0-5zM2 15c0-9 8-9 8 0z';

/** Whether a sentence counts answers that stay: of those that are turned over more often than not. */
const isOwn = ({said, stored}) => Boolean(said) && said === stored;

/** Ten figures, full for one's own answers and open for chance's; as many as the sentence says, or fewer. */
function people(figures) {
	const counted = Math.floor((10 * figures.some) / figures.of);
	const filled = isOwn(figures) ? counted : 10 - counted;
	return (
		counted > 0 &&
		svg(
			'svg',
			{class: 'people', viewBox: '0 0 120 16', role: 'img', 'aria-label': say('picture', {counted})},
			Array.from({length: 10}, (_, place) =>
				svg('path', {d: PERSON, transform: `translate(${place * 12})`, class: place < filled && 'filled'}),
			),
		)
	);
}

const caption = figures => {
	const {of, some} = figures;
	const each = of > 10 && [say('pictured', {each: of / 10}), gap()];
	return 10 * some >= of && p('help', each, say(isOwn(figures) ? 'full' : 'hollow', {some}));
};

export const inWords = ([text, {more, ...figures} = {}]) =>
	say(text, {...figures, some: more ? say('orMore', figures) : figures.some});

/** Sentences, the first figures with their picture. */
export function inFrequencies(sentences) {
	const pictured = sentences.findIndex(([, figures]) => figures?.some && people(figures));
	return sentences.map((said, place) => {
		const has = place === pictured;
		return [p('promise', inWords(said), has && people(said[1])), has && caption(said[1])];
	});
}

const belief = (before, after) =>
	h('div', {}, h('dt', {}, say('before'), gap(), percent(before)), h('dd', {}, say('after'), gap(), percent(after)));

const exactly = design =>
	bounds(design).map(({odds: most, words: {believed}}) => {
		const bound = sure(most);
		return [
			p('', say(bound < 1 ? believed : 'weak', {prior: percent(0.05), posterior: percent(bound)})),
			bound < 1 && h('dl', {}, belief(0.05, bound), belief(0.5, sure(most, 1n))),
		];
	});

const LEARN = ['learnsAsker', 'learnsEmployer', 'learnsThief', 'learnsSite'];

const isOpen = definition => questionsOf(definition).some(({sensitive}) => !sensitive);

/** How many sensitive questions this device asks of people. */
export const countOf = ({definition, isAsked, known}) =>
	questionsOf(definition).filter(({sensitive, id}) => sensitive && isAsked(id) && !known?.has(id)).length;

const paragraphs = (text, kind, before) =>
	textOf(text)
		.split(/\n\s*\n/)
		.filter(Boolean)
		.map((one, place) => p(kind, !place && before, h('span', spoken(), one)));

export function welcome(session, way) {
	const {definition, secrets: design, checked, version, earlier, gamma, forgot, few} = session;
	const begin = button('begin', () => {
		begin.disabled = true;
		way.begin();
	});
	const joined = sure(earlier * gamma, 1n);
	const [promised, folds] = protection(session);
	show(
		written('span', definition.title),
		few.map(({sender}) => sender?.(definition)),
		written('p', definition.unspoken, {class: 'caution'}),
		paragraphs(definition.why, '', [h('b', {}, say('why')), gap()]),
		paragraphs(definition.who, 'quiet'),
		forgot && p('caution', say('forgot')),
		['trial', 'simulated', 'early', 'beside'].map(kind => definition[kind] && p('caution', say(kind))),
		promised,
		paragraphs(definition.consent, 'consent'),
		few.map(({firstPage}) => firstPage?.(definition)),
		earlier > 1 && [
			p('caution', say(wordsOfOpen(design.blocks).second ?? 'second', {posterior: percent(joined)})),
			joined < 1 && h('dl', {}, belief(0.5, joined)),
			definition.access === 'open' && button('another', way.another, 'plain'),
		],
		!checked && p('caution', say('fingerprint'), gap(), h('code', {}, version.slice(0, 16).match(/..../g).join(' '))),
		definition.access === 'invitation' && !session.number && p('caution', say('once')),
		p('buttons', begin, button('practice', way.practice, 'plain')),
		folds,
		p(
			'quiet',
			say('stored'),
			gap(),
			(design.direct || isOpen(definition)) && [say('storedGiven'), gap()],
			say(wordsOfOpen(design.blocks).stored ?? 'storedTruth'),
		),
	);
}

function protection(session) {
	const {definition, secrets: design, asked, notes} = session;
	const {override} = definition;
	const drawn = asked.filter(Boolean).length;
	const ways = [...new Set(design.blocks.map(kindOf))].map(({words}) => [say(words.how), gap()]);
	const count = countOf(session);
	const said = frequencies(design, count);
	const picture = session.picture?.(design, count);
	const promised = h(
		'section',
		{class: 'protection'},
		h('h2', {}, icon('mask'), say('protection')),
		picture,
		inFrequencies(first(said, design, picture)),
		isOpen(definition) && p('quiet', say('ifMarked')),
		design.direct && p('quiet', say('ifDisguised')),
		notes?.(definition),
		override && p('caution', say('override', override), gap(), h('q', {}, override.reason)),
		drawn < asked.length && p('quiet', say('drawn', {asked: drawn, all: asked.length})),
	);
	const learns = folded(
		'learns',
		false,
		exactly(design),
		said.slice(1).map(one => p('promise', inWords(one))),
		h(
			'ul',
			{},
			LEARN.map(key => h('li', {}, h('strong', {}, say(key)), gap(), say(`${key}Text`))),
		),
		design.direct && p('', say('uncoveredDirect')),
		p('', say('uncoveredAgain')),
		p('', ways, say('manyTell')),
	);
	const isDevice = !design.blocks.some(({draw}) => draw);
	return [promised, [learns, isDevice && folded('trust', false, p('', say('trustText')))]];
}

/** What everybody reads: up to the first figures, every answer that is not hidden, and what follows of each stored one.
 * All figures are in the fold. Where they hide hardly anything, everybody reads all of it. */
function first(sentences, {blocks}, picture) {
	const open = blocks.filter(openOf).map(block => kindOf(block).words.open);
	const figures = picture ? 0 : sentences.findIndex(([, values]) => values?.some);
	const isWeak = sentences.some(([text]) => text === 'weak');
	return sentences.filter(([text], place) => isWeak || place <= figures || text === 'so' || open.includes(text));
}

export const folded = (key, open, ...content) => h('details', {open}, h('summary', {}, say(key)), content);

/** What has become of what was sent. */
export function fate(kept) {
	const left = kept.filter(({state, gamma}) => state !== 'begun' || gamma !== 1);
	const sent = left.filter(({receipt: number}) => number);
	return {left, sent, said: left.length > sent.length ? 'perhaps' : sent.length ? 'arrived' : 'nothingSent'};
}

/** Where not even the reason to stop can be loaded. */
export function withoutReason(session, way, reason, invited, kept) {
	show(say(fate(kept).said));
	unloaded();
}
