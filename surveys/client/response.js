// A response: the choice of its way, how it is drawn, sent, and shown after that.

import {ofPeople} from './chances.js';
import {disguise, kindOf, sure} from './disguise.js';
import {home, read, Stop, write} from './exchange.js';
import {button, gap, h, icon, p, percent, say, show, written} from './page.js';
import {crowd, folded, inWords, isPartly, ofAll, whatChanceDoes} from './promise.js';
import {openAnswers, truth, typeOf} from './questionnaire.js';
import {form, option} from './questions/usual.js';

/** The choice to answer directly, where there is one. */
export function choice(session, way) {
	const either = (direct, title) => {
		const change = () => {
			session.direct = direct;
		};
		const words = [h('strong', {}, say(title)), h('span', {class: 'help'}, say(`${title}Help`))];
		return option({type: 'radio', name: 'way', checked: session.direct === direct, change}, words);
	};
	const ways = [either(false, 'disguised'), either(true, 'direct')];
	show(
		say('choice'),
		form(
			way.after,
			[
				h('div', {class: 'options', role: 'radiogroup', 'aria-label': say('choice')}, ways),
				p('help', say('uncoveredDirect')),
				!session.durable && p('caution', say('noStorage')),
			],
			button('back', way.before, 'plain'),
		),
	);
	return way.before;
}

/** Coins fall here: what is kept until the server answers. */
export function drawResponse(session) {
	const {definition, version, design, asked, entry, direct} = session;
	const {key, token, lot, variants} = entry;
	const open = openAnswers(session);
	const record = direct ? truth(session) : disguise(design, truth(session), asked);
	const look = session.lookOf?.(session);
	const mode = session.mode ?? definition.mode ?? definition.interviews?.mode;
	const body = bodyOf(
		{version, key, direct: Number(direct), record, open: {...open, look, mode}, token},
		definition.pad,
	);
	const gamma = (entry.gamma ?? Infinity) * (direct ? Infinity : session.gamma);
	const whole = entry.whole && !isPartly(design);
	return {path: entry.path, gamma, whole, state: 'pending', direct, record, body, look, lot, variants, open};
}

// Kept: {path, gamma, whole} and, by state, begun {key, asked, blinding?, token?}, pending {direct, record, body}, sent
// {direct, record, receipt}, or told: another is stored. No truth behind a disguise. gamma: of all that
// may have left, 1 of nothing, null (∞) of direct.
//
// One body, of a fixed size, is sent until the server says yes or no.

const FIRST_PAUSE = 2; // seconds
const LONGEST_PAUSE = 300;
const PATIENCE = 30_000; // milliseconds for one try

export function bodyOf(response, size) {
	const bare = new TextEncoder().encode(JSON.stringify({...response, pad: ''})).length;
	return JSON.stringify({...response, pad: '0'.repeat(size - bare)});
}

export const post = (address, body) =>
	fetch(address, {
		method: 'POST',
		body,
		headers: {'Content-Type': 'application/json'},
		credentials: 'omit',
		redirect: 'error',
		signal: AbortSignal.timeout?.(PATIENCE),
	});

/** One try: {outcome, said} or, where another can help, {again: seconds to wait}. */
export async function attempt(body, to = 'responses') {
	try {
		const answer = await post(home + to, body);
		if (answer.status === 429 || answer.status >= 500) return {again: Number(answer.headers.get('Retry-After')) || 0};
		const said = await answer.json();
		if (!answer.ok)
			return {
				said,
				outcome: {409: said.error === 'version' ? 'changed' : 'duplicate', 410: 'closed'}[answer.status] ?? 'refused',
			};
		return /^[0-9a-f]{64}$/.test(said.receipt) ? {outcome: 'stored', said} : {again: 0};
	} catch {
		return {again: 0};
	}
}

/** The same bytes, with growing pauses, until there is an outcome; `end` or a network ends a pause. */
async function deliver(body, waiting) {
	for (let grown = FIRST_PAUSE; ; grown *= 2) {
		const result = await attempt(body);
		if (result.outcome) return result;
		const seconds = Math.min(Math.max(result.again, grown), LONGEST_PAUSE);
		await new Promise(end => {
			setTimeout(end, seconds * (1 + Math.random() / 4) * 1000);
			addEventListener('online', end, {once: true});
			waiting(seconds, end);
		});
	}
}

/** Send what is pending, and keep what came of it; a Stop where it is not stored. */
export async function settle(place, {path, gamma, whole, direct, record, body, look, lot, variants}, waiting) {
	const {outcome, said} = await deliver(body, waiting);
	const keep = entry => write(place, {path, gamma, whole, ...entry});
	if (outcome === 'stored')
		return keep({state: 'sent', direct, record: direct ? null : record, look, receipt: said.receipt});
	const {key, token} = JSON.parse(body);
	const asked = record.map(code => code !== null);
	// A refusal costs no invitation and gives no second key; what another tab sent stays.
	if (read(place)?.state !== 'sent')
		keep(outcome === 'duplicate' ? {state: 'told'} : {state: 'begun', key, token, asked, lot, variants});
	throw new Stop(outcome, {cause: {said, dropped: true}});
}

/** What a record may come from. Where an answer is open, also what the others tell at most. */
function ofRecord(design, record) {
	if (isPartly(design)) return ofAll(design, bound => [[bound.words.sent], crowd(bound)]);
	const rest = [...record];
	const origins = design.blocks.map(block => kindOf(block).origin?.(block, rest.splice(0, block.items.length)));
	return ofAll(design, () => [...new Set(origins)].map(text => [say(text) ? text : 'yours']));
}

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

/** Words first: what was sent need not be what was said. The record is folded. */
export function receipt(session, way, sent) {
	const {access, closing, panel} = session.definition;
	const {direct, gamma = Infinity} = sent;
	const most = sure(gamma, 1n);
	const next = session.next?.(sent);
	const isHidden = !direct && !isPartly(session.design) && most < 1;
	const ways = isHidden ? [...new Set(session.design.blocks.map(kindOf))].map(({words}) => words) : [];
	const inEachWay = name => [...new Set(ways.map(({[name]: text = name}) => text))].map(text => say(text));
	show(
		[icon('done'), say('thanks')],
		p(
			'lead',
			say(sent.come ?? 'arrived'),
			inEachWay('differs').map(text => [gap(), h('b', {}, text)]),
		),
		inEachWay('nobodyKnows').map(text => p('', text)),
		written('p', closing),
		panel && session.endOf(panel, 'sent', session.number),
		next,
		!direct &&
			h('section', {class: 'protection'}, h('h2', {}, icon('mask'), say('protection')), whatChanceDoes(session)),
		!next && [
			whatWasSent(session, sent),
			isHidden && folded('howSure', false, p('', say('sentence', {prior: percent(0.5), posterior: percent(most)}))),
			number(sent, false),
			access === 'open' && p('buttons', button('another', way.another, 'plain')),
		],
	);
	return session.clear;
}

const line = (text, ...value) => h('li', {}, p('quiet', written('span', text)), value);

/** How many people with another answer send the same. */
function sentToo(block, item) {
	const share = kindOf(block).others?.(block, item);
	const {of, some} = share ? ofPeople([share]) : {some: [0]};
	return some[0] > 0 && p('quiet', say('sentToo', {of, some: some[0]}));
}

/** What left; after a reload, what was disguised. */
function whatWasSent(session, {direct, record, look, open = {}}) {
	session.look = look;
	const given = Object.entries(open).map(([id, answer]) => {
		const asked = session.byId.get(id);
		const {inWords, sent: read} = typeOf(asked);
		session.answers.set(id, read(answer)); // texts may name it
		return line(asked.text, p('', h('bdi', {}, inWords(asked, read(answer), session))));
	});
	const sent = session.definition.items
		.map((item, column) => ({...item, code: record?.[column] ?? null}))
		.filter(({code}) => code !== null);
	const lines = sent.map((item, place) => {
		const {question, part, code, block} = item;
		const kind = kindOf(block);
		const isFirst = !direct && sent[place - 1]?.block !== block;
		const own = sent.filter(other => other.block === block);
		const codes = own.map(other => other.code);
		const notes = ['note', 'blank', 'many', 'group', 'least', 'open']
			.map(key => [kind.words[key], isFirst && kind[key]?.(block, codes)])
			.filter(([, figures]) => figures);
		const value = typeOf(question).valueInWords(question, kind.textOf(item, code, block));
		return [
			notes.map(note => h('li', {}, say(...note))),
			(direct || (kind.shows?.(block, codes)[own.indexOf(item)] ?? true)) &&
				line(part?.label ?? question.text, p('', say('wasSent', {value})), !direct && sentToo(block, item)),
		];
	});
	const list = rows => h('ul', {class: 'sent'}, rows);
	const asGiven = rows => rows.length > 0 && folded('open', false, list(rows));
	if (direct) return asGiven([...lines, ...given]);
	const origin = ofRecord(session.design, record).map(one => p('', inWords(one)));
	return [folded('sent', false, origin, list(lines)), asGiven(given)];
}

/** The receipt's number, which the site can be asked about. */
export function number({receipt}, open = true) {
	const status = h('p', {role: 'status'});
	const check = async () => {
		const answer = await fetch(`${home}receipts/${receipt}`, {credentials: 'omit', cache: 'no-store'}).catch(() => {});
		status.replaceChildren(say({200: 'held', 404: 'notHeld'}[answer?.status] ?? 'unreachable'));
	};
	return folded(
		'receipt',
		open,
		p('quiet', say('receiptText')),
		p('', h('code', {class: 'receipt'}, receipt)),
		p('buttons', button('check', check, 'plain')),
		status,
	);
}
