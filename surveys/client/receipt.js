import {kindOf} from './kinds.js';
import {say} from './language.js';
import {button, h, icon, p, show, unloaded, written} from './page.js';
import {inFrequencies, ofRecord} from './promise.js';
import {mark} from './questions.js';
import {typeOf} from './types.js';

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
	const {access, closing} = session.definition;
	show(
		[icon('done'), say('thanks')],
		p('lead', say('arrived')),
		written('p', closing),
		whatWasSent(session, sent),
		number(sent),
		access === 'open' && button('another', way.another, 'plain'),
	);
}

function table(rows) {
	const heads = ['question', 'value'].map(key => h('th', {scope: 'col'}, say(key)));
	return rows.length > 0 && h('table', {}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows));
}

const row = (text, value) => h('tr', {}, written('th', text, {scope: 'row'}), h('td', {dir: 'auto'}, value));

/** What left; after a reload, what was disguised of it. */
function whatWasSent(session, {direct, record, arm, open = {}}) {
	const sent = session.definition.items
		.map((item, column) => ({...item, code: record?.[column] ?? null}))
		.filter(({code}) => code !== null);
	const disguised = sent.map((item, place) => {
		const {question, part, code, block} = item;
		const kind = kindOf(block);
		const isFirst = !direct && sent[place - 1]?.block !== block;
		const notes = ['note', 'open']
			.map(key => [kind.words[key], isFirst && kind[key]?.(block)])
			.filter(([, figures]) => figures);
		return [
			notes.map(note => h('tr', {}, h('td', {colspan: 2}, say(...note)))),
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
		table(disguised),
		given.length > 0 && mark(false),
		table(given),
	];
}

export function number({receipt}) {
	const status = h('p', {role: 'status'});
	const check = async () => {
		const answer = await fetch(`receipts/${receipt}`, {credentials: 'omit', cache: 'no-store'}).catch(() => null);
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
