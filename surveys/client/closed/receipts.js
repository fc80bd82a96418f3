// Finds a receipt in the list of a closed survey. The receipt never leaves the browser: the list comes here.

import {gap, h, header, p, say, show, speak} from '../page.js';
import {leaf, root} from './merkle.js';

const PIECE = 16384; // receipts, as the site makes them; all pieces of a list but the last one are full
const RECEIPT = 32; // bytes
const survey = location.pathname.replace(/receipts\/$/, '');

const word = (key, values) => say(`receipts.${key}`, values);

const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
const bytesOf = text => Uint8Array.from(text.match(/../g), pair => parseInt(pair, 16));
const ask = path => fetch(survey + path, {credentials: 'omit', cache: 'no-store'});

/** The receipt's place in the list, -1 if it is not there; Error if the list is not the one under its root. */
async function find(receipt, {count, root: whole, pieces}) {
	const roots = pieces.map(piece => bytesOf(piece.root));
	if (hex(await root(roots)) !== whole) throw new Error('wrong');
	const number = pieces.findLastIndex(({first}) => first <= receipt);
	if (number < 0) return -1;
	const answer = await ask(`statement/${number}`);
	if (!answer.ok) throw new Error('unreachable');
	const bytes = new Uint8Array(await answer.arrayBuffer());
	const size = number < pieces.length - 1 ? PIECE : count - number * PIECE;
	const receipts = Array.from({length: bytes.length / RECEIPT}, (_, place) =>
		bytes.subarray(place * RECEIPT, (place + 1) * RECEIPT),
	);
	const texts = receipts.map(hex);
	const isSorted = texts.every((text, place) => !place || texts[place - 1] < text);
	const isWhole = bytes.length === size * RECEIPT && texts[0] === pieces[number].first;
	const made = hex(await root(await Promise.all(receipts.map(leaf))));
	if (!isSorted || !isWhole || made !== pieces[number].root) throw new Error('wrong');
	const place = texts.indexOf(receipt);
	return place < 0 ? -1 : number * PIECE + place;
}

/** What the survey's page has kept, where the browser keeps anything. */
function keptEntries() {
	try {
		return Object.entries(localStorage)
			.filter(([place]) => place.startsWith('candor:'))
			.map(([, entry]) => JSON.parse(entry));
	} catch {
		return [];
	}
}

const hashed = (label, value) => [h('h2', {}, label), p('', h('code', {}, value))];

function list({statement, digest}) {
	const {receipts} = statement;
	const status = h('p', {role: 'status', class: 'lead'});
	const kept = keptEntries().find(({path, receipt}) => path === survey && receipt);
	const field = h('input', {
		class: 'field',
		id: 'receipt',
		value: kept?.receipt,
		autocomplete: 'off',
		spellcheck: 'false',
	});
	const look = async event => {
		event.preventDefault();
		const receipt = field.value.replace(/\s/g, '').toLowerCase();
		if (!/^[0-9a-f]{64}$/.test(receipt)) return status.replaceChildren(word('malformed'));
		status.replaceChildren(word('looking'));
		const place = await find(receipt, receipts).catch(({message}) => message);
		const said = {wrong: 'wrong', '-1': 'absent'}[place] ?? (place >= 0 ? 'there' : 'unreachable');
		status.replaceChildren(word(said, {number: place + 1, count: receipts.count}));
	};
	return [
		receipts
			? [
					p('', word('intro'), gap(), receipts.pieces.length > 1 && word('large', {size: PIECE})),
					h(
						'form',
						{autocomplete: 'off', novalidate: true, submit: look},
						h('label', {for: 'receipt', class: 'legend'}, word('receipt')),
						field,
						p('buttons', h('button', {class: 'main'}, word('look'))),
					),
					status,
				]
			: p('', word('fewer')),
		receipts && hashed(word('root', {count: receipts.count}), receipts.root),
		statement.versions.map(({number, parts}) => hashed(word('parts', {number}), parts)),
		hashed(word('statement'), digest),
		p('quiet', word('compare')),
	];
}

let stated = {};

function draw() {
	show(word('title'), stated.statement ? list(stated) : p('lead', word(stated.said)));
}

async function open() {
	const [answer] = await Promise.all([ask('statement').catch(() => ({})), speak('rare')]);
	const bytes = answer.ok && (await answer.arrayBuffer().catch(() => null));
	if (bytes) {
		const digest = hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
		stated = {statement: JSON.parse(new TextDecoder().decode(bytes)), digest};
	} else {
		stated = {said: {404: 'nothing', 409: 'collecting'}[answer.status] ?? 'unreachable'};
	}
	header(draw);
	draw();
}

open();
