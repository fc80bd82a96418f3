// What people read about a disguise before they answer: in frequencies, and exactly.

import {ofPeople} from './chances.js';
import {kindOf, odds, sure} from './disguise.js';
import {path, questionsOf} from './exchange.js';
import {button, gap, h, icon, p, percent, say, show, spoken, svg, textOf, unloaded, written} from './page.js';

const openOf = block => kindOf(block).open(block);

export const isPartly = design => design.blocks.some(openOf);

const wordsOfOpen = blocks => blocks.filter(openOf).map(block => kindOf(block).words)[0] ?? {};

const asked = blocks => blocks.reduce((sum, {ask, items}) => sum + (ask ?? items.length), 0);

/** What all answers together tell at most: an open answer to one question may tell of another. */
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

/** Of people with equal stored answers, half thought to answer so, how many would not. */
export function crowd({odds: most, words: {together}}) {
	const {of, some} = ofPeople([[2n ** 53n, 2n ** 53n + BigInt(most * 2 ** 53)]]);
	return [together, {of, some: some[0], most: of - some[0]}];
}

function ofOne(design, count) {
	const kinds = [...new Set(design.blocks.map(kindOf))];
	const alike = kinds.flatMap(kind => kind.explain(design.blocks.filter(block => kindOf(block) === kind)));
	const isMixed = alike.length > 1;
	const one = alike.flatMap(([blocks, texts], group) => [
		['some', {count: asked(blocks)}],
		...texts.map(([text, figures]) => [text, {...figures, ...(isMixed || {count}), group}]),
	]);
	return [...(kinds.some(({changes = true}) => changes) ? [['changes']] : []), ...one.slice(isMixed ? 0 : 1)];
}

/** What follows of each stored answer, and of all. */
const follows = design =>
	ofAll(design, bound => [
		...(bound.so ? [[bound.so]] : []),
		...(asked(bound.blocks) > 1 ? [['more'], crowd(bound)] : []),
	]);

export const frequencies = (design, count = asked(design.blocks)) => [...ofOne(design, count), ...follows(design)];

/** A hundred dots: of two answers full for the same in both directions. */
function people({of, some, stored}) {
	const full = /no|Open/.test(stored?.text) ? of - some : some;
	const dot = (_, place) =>
		svg('circle', {
			cx: 5 + 10 * (place % 25),
			cy: 5 + 10 * Math.floor(place / 25),
			r: 3.6,
			class: place < full && 'filled',
		});
	return (
		of === 100 &&
		svg(
			'svg',
			{class: 'people', viewBox: '0 0 250 40', role: 'img', 'aria-label': say('dots', {counted: full})},
			Array.from({length: of}, dot),
		)
	);
}

/** What full and open dots stand for. */
const key = keys =>
	p(
		'help',
		keys.map((name, place) => [h('span', {class: 'mask', 'aria-hidden': 'true'}, '●○'[place]), ` ${say(name)}\u2003`]),
	);

export const inWords = ([text, {more, ...figures} = {}]) =>
	say(text, {...figures, some: more ? say('orMore', figures) : figures.some});

/** Sentences, figures with their picture. */
const inFrequencies = sentences =>
	sentences.map(([text, figures], place) => {
		const picture = figures?.some && !/open$/.test(text) && people(figures);
		return [
			p(picture ? '' : 'promise', inWords([text, figures]), picture),
			picture && figures.keys && sentences[place + 1]?.[0] !== text && key(figures.keys),
		];
	});

const exactly = (design, prior, against) =>
	bounds(design).map(({odds: most, words: {believed}}) => {
		const bound = sure(most, against);
		return bound < 1 && p('quiet', say(believed, {prior: percent(prior), posterior: percent(bound)}));
	});

const LEARN = ['learnsAsker', 'learnsEmployer', 'learnsThief', 'learnsSite'];

const isOpen = definition => questionsOf(definition).some(({sensitive}) => !sensitive);

/** Sensitive questions that this device asks of people. */
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

export function protection(session) {
	const {definition, secrets: design, asked: these, notes, place} = session;
	const {override} = definition;
	const drawn = these.filter(Boolean).length;
	const ways = [...new Set(design.blocks.map(kindOf))].map(({words}) => [say(words.how), gap()]);
	const count = countOf(session);
	const picture = session.picture?.(design, count);
	const promised = h(
		'section',
		{class: 'protection'},
		h('h2', {}, icon('mask'), say('protection')),
		picture,
		whatChanceDoes(session, picture),
		exactly(design, 0.5, 1n)[0],
		p('quiet', isOpen(definition) && [say('ifMarked'), gap()], design.direct && say('ifDisguised')),
		notes?.(definition),
		override && p('caution', say('override', override), gap(), h('q', {}, override.reason)),
		drawn < these.length && p('quiet', say('drawn', {asked: drawn, all: these.length})),
	);
	const learns = folded(
		'learns',
		false,
		exactly(design, 0.05),
		frequencies(design, count)
			.slice(picture ? 0 : 1)
			.map(one => p('promise', inWords(one))),
		h(
			'ul',
			{},
			LEARN.map(key => h('li', {}, h('strong', {}, say(key)), gap(), say(`${key}Text`))),
		),
		design.direct && p('', say('uncoveredDirect')),
		p('', say('uncoveredAgain')),
		p('', ways, say('manyTell')),
	);
	const rest = asked(design.blocks.filter(({draw}) => !draw));
	const some = rest < asked(design.blocks) && p('', say('some', {count: rest}));
	const how = h('a', {href: place && `${path}../../help/respondents/`, target: '_blank'}, say('proof'));
	return [promised, [learns, rest > 0 && folded('trust', false, some, p('', say('trustText'), gap(), how))]];
}

/** What everybody reads: both directions of answers that are hidden least, all that are not hidden, and what follows.
 * Where they hide hardly anything, all. */
export function whatChanceDoes(session, picture) {
	const {secrets: design} = session;
	const [one, all] = [ofOne(design, countOf(session)), follows(design)];
	const isWeak = all.some(([text]) => text === 'weak');
	const counted = one.filter(([text, figures]) => figures?.some && !/open$/.test(text));
	const [least] = [...counted].sort(([, a], [, b]) => a.some / a.of - b.some / b.of);
	const sort = ([text, {group}]) => group + text.split('.')[0];
	const shown = counted.filter(said => sort(said) === sort(least));
	const isRead = (said, place) => {
		const [text] = said[0] === 'some' ? one[place + 1] : said;
		return isWeak || shown.includes(said) || !(place || picture) || /(how|open|so)$/.test(text);
	};
	const read = one.filter(isRead);
	if (shown.length < counted.length && !isWeak) read.splice(read.indexOf(shown[0]), 0, ['least']);
	return [
		inFrequencies(read),
		all.filter(([text]) => isWeak || text === 'so').map(said => p('promise', inWords(said))),
	];
}

export const folded = (key, open, ...content) => h('details', {open}, h('summary', {}, say(key)), content);

/** What became of what was sent. */
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
