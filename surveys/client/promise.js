// What people read about a disguise before they answer, and about what it sent: in frequencies with pictures, and
// exactly.

import {ofPeople} from './chances.js';
import {kindOf, odds, sure} from './disguise.js';
import {home} from './exchange.js';
import {button, h, icon, mark, p, percent, say, show, spoken, svg, textOf, unloaded, written} from './page.js';
import {questionsOf, typeOf} from './questionnaire.js';

const PRIOR = 0.05;

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
		...(kinds.some(({changes = true}) => changes) ? [['changes']] : []),
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

/** Whether a sentence counts answers that stay: of those that are turned over more often than not. */
const isOwn = ({said, stored}) => Boolean(said) && said === stored;

/** Ten figures, full for one's own answers and open for chance's, as in the sign; as many as the sentence says, or fewer. */
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
	const each = of > 10 && [say('pictured', {each: of / 10}), ' '];
	return 10 * some >= of && p('help', each, say(isOwn(figures) ? 'full' : 'hollow', {some}));
};

export const inWords = ([text, {more, ...figures} = {}]) =>
	say(text, {...figures, some: more ? say('orMore', figures) : figures.some});

/** Sentences, the first figures with their picture, or the first sentence with another. */
function inFrequencies(sentences, other) {
	const pictured = other ? 0 : sentences.findIndex(([, figures]) => figures?.some && people(figures));
	return sentences.map((said, place) =>
		place === pictured
			? [p('promise', inWords(said), other ?? people(said[1])), caption(said[1])]
			: p('promise', inWords(said)),
	);
}

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

const LEARN = ['learnsAsker', 'learnsEmployer', 'learnsThief', 'learnsSite'];

const isOpen = definition => questionsOf(definition).some(({sensitive}) => !sensitive);

/** What the questionnaire's author wrote, by paragraphs. */
const paragraphs = (text, kind) =>
	textOf(text)
		.split(/\n\s*\n/)
		.filter(Boolean)
		.map(paragraph => h('p', {class: kind, ...spoken()}, paragraph));

export function welcome(session, way) {
	const {definition, design, checked, version, earlier, gamma, forgot, few} = session;
	const [promised, folds] = protection(session);
	const begin = button('begin', () => {
		begin.disabled = true;
		way.begin();
	});
	show(
		written('span', definition.title),
		written('p', definition.unspoken, {class: 'caution'}),
		paragraphs(definition.who, 'quiet'),
		forgot && p('caution', say('forgot')),
		['trial', 'simulated', 'early', 'beside', 'central'].map(kind => definition[kind] && p('caution', say(kind))),
		promised,
		paragraphs(definition.consent, 'consent'),
		few.map(({firstPage}) => firstPage?.(definition)),
		earlier > 1 && [
			p('caution', say(wordsOfOpen(design.blocks).second ?? 'second', {posterior: percent(sure(earlier * gamma))})),
			definition.access === 'open' && button('another', way.another, 'plain'),
		],
		!checked && p('caution', say('fingerprint'), ' ', h('code', {}, version.slice(0, 16).match(/..../g).join(' '))),
		definition.access === 'invitation' && p('caution', say('once')),
		p('buttons', begin, button('practice', way.practice, 'plain')),
		folds,
		p(
			'quiet',
			say('stored'),
			' ',
			(design.direct || isOpen(definition)) && [say('storedGiven'), ' '],
			say(wordsOfOpen(design.blocks).stored ?? 'storedTruth'),
		),
	);
}

/** What is promised, and what more there is to read of it. */
function protection({definition, design, asked, notes, picture}) {
	const {items, override, why} = definition;
	const drawn = asked.filter(Boolean).length;
	const ways = [...new Set(design.blocks.map(kindOf))].map(({words}) => [say(words.how), ' ']);
	const said = frequencies(design);
	const promised = h(
		'section',
		{class: 'protection'},
		h('h2', {}, icon('mask'), say('protection')),
		inFrequencies(first(said, design), picture?.()),
		isOpen(definition) && p('quiet', say('ifMarked')),
		design.direct && p('quiet', say('ifDisguised')),
		notes?.(definition),
		override && p('caution', say('override', override), ' ', h('q', {}, override.reason)),
		drawn < items.length && p('quiet', say('drawn', {asked: drawn, all: items.length})),
	);
	const learns = folded(
		'learns',
		said.slice(1).map(one => p('promise', inWords(one))),
		list(LEARN.map(key => [h('strong', {}, say(key)), ' ', say(`${key}Text`)])),
		[...(design.direct ? ['uncoveredDirect'] : []), 'uncoveredAgain'].map(key => p('', say(key))),
		p('', ways, say('manyTell')),
		folded('exactly', exactly(design)),
	);
	return [promised, [learns, textOf(why) && folded('why', paragraphs(why))]];
}

/** What everybody reads: up to the first figures, every answer that is not hidden, and what follows of each stored one.
 * All figures are in the fold. Where they hide hardly anything, everybody reads all of it. */
function first(sentences, {blocks}) {
	const open = blocks.filter(openOf).map(block => kindOf(block).words.open);
	const figures = sentences.findIndex(([, values]) => values?.some);
	const isWeak = sentences.some(([text]) => text === 'weak');
	return sentences.filter(([text], place) => isWeak || place <= figures || text === 'so' || open.includes(text));
}

const folded = (key, ...content) => h('details', {}, h('summary', {}, say(key)), content);

const list = entries =>
	h(
		'ul',
		{},
		entries.map(entry => h('li', {}, entry)),
	);

export function sending(session, way, wait) {
	show(
		say('sending'),
		wait && [
			h('p', {class: 'lead', role: 'status'}, say('waiting', wait)),
			p('', say(wait.fragile ? 'noStorage' : 'waitingKept')),
			button('again', wait.retry),
		],
	);
}

export function receipt(session, way, sent) {
	const {access, closing, panel} = session.definition;
	show(
		[icon('done'), say('thanks')],
		p('lead', say((!sent.direct && session.design.blocks.map(block => kindOf(block).words.arrived)[0]) || 'arrived')),
		written('p', closing),
		panel && session.endOf(panel, 'sent', session.number),
		whatWasSent(session, sent),
		number(sent),
		access === 'open' && button('another', way.another, 'plain'),
	);
}

function table(rows) {
	const heads = ['question', 'value'].map(key => h('th', {scope: 'col'}, say(key)));
	return rows.length > 0 && h('table', {}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows));
}

const row = (text, value) => h('tr', {}, h('th', {scope: 'row'}, written('span', text)), h('td', {dir: 'auto'}, value));

/** What left; after a reload, what was disguised of it. */
function whatWasSent(session, {direct, record, arm, open = {}}) {
	const sent = session.definition.items
		.map((item, column) => ({...item, code: record?.[column] ?? null}))
		.filter(({code}) => code !== null);
	const disguised = sent.map((item, place) => {
		const {question, part, code, block} = item;
		const kind = kindOf(block);
		const isFirst = !direct && sent[place - 1]?.block !== block;
		const own = sent.filter(other => other.block === block);
		const codes = own.map(other => other.code);
		const notes = ['note', 'blank', 'many', 'group', 'open']
			.map(key => [kind.words[key], isFirst && kind[key]?.(block, codes)])
			.filter(([, figures]) => figures);
		return [
			notes.map(note => h('tr', {}, h('td', {colspan: 2}, say(...note)))),
			(direct || (kind.shows?.(block, codes)[own.indexOf(item)] ?? true)) &&
				row(part?.label ?? question.text, typeOf(question).valueInWords(question, kind.textOf(item, code, block))),
		];
	});
	const given = Object.entries(open).map(([id, answer]) => {
		const question = session.byId.get(id);
		const {inWords, sent: read} = typeOf(question);
		return row(question.text, inWords(question, read(answer), session));
	});
	const title = h('h2', {}, !direct && icon('mask'), say('sent'));
	if (direct) return [title, mark(false), table([...disguised, ...given])];
	return [
		h('section', {class: 'protection'}, title, inFrequencies(ofRecord(session.design, record, arm))),
		arm && session.drawnArm(arm),
		(session.card ?? table)(disguised),
		given.length > 0 && mark(false),
		table(given),
	];
}

export function number({receipt}) {
	const status = h('p', {role: 'status'});
	const check = async () => {
		const answer = await fetch(`${home}receipts/${receipt}`, {credentials: 'omit', cache: 'no-store'}).catch(
			() => null,
		);
		status.replaceChildren(say({200: 'held', 404: 'notHeld'}[answer?.status] ?? 'unreachable'));
	};
	return [
		h('h2', {}, say('receipt')),
		p('', h('code', {class: 'receipt'}, receipt)),
		p('quiet', say('receiptText')),
		p('buttons', button('check', check, 'plain')),
		status,
	];
}

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
