// Finds a receipt in the list of a closed survey. The receipt never leaves the browser: the list comes here.

import {h, header, p, say, show} from '../page.js';
import {wordsOf} from '../words.js';
import {leaf, root} from './merkle.js';

const PIECE = 16384; // receipts, as the site makes them; all pieces of a list but the last one are full
const RECEIPT = 32; // bytes
const survey = location.pathname.replace(/receipts\/$/, '');

const WORDS = wordsOf(`
title|Find your receipt|查找您的回执
intro|This survey has closed, and the list of its receipts is public. Your browser loads the list and looks for your receipt itself. Nobody learns which one you look for.|此调查已结束，回执清单已公开。您的浏览器会下载清单并自己查找您的回执，没有人知道您查的是哪一个。
large|The list is long. Your browser loads only the part where yours would be, with up to {size} receipts.|清单很长，您的浏览器只下载您的回执所在的那一部分，其中最多有 {size} 个回执。
receipt|Your receipt|您的回执
look|Look for it|查找
looking|Looking …|正在查找……
malformed|A receipt has 64 characters: digits, and letters from a to f.|回执由 64 个字符组成：数字以及 a 到 f 的字母。
there|Your receipt is in the list, as number {number} of {count}. So your response was received and belongs to what was sealed.|清单中有您的回执，它是 {count} 个回执中的第 {number} 个。也就是说，您的回答已收到，并属于封存的内容。
absent|This receipt is not in the list. If it is from this survey, your response is missing. Show the receipt to somebody you trust.|清单中没有这个回执。如果它来自此调查，就说明您的回答缺失了：请把回执给您信任的人看。
wrong|What came is not the list that belongs to the hash below. Do not trust this site, and tell somebody.|收到的清单与下面的哈希值不符。请不要信任此网站，并告诉他人。
collecting|There is no list yet. It comes once the survey has closed and its last responses are sealed. A list that grew while people answer would tell on them.|还没有清单。调查结束并封存最后的回答之后才会有。如果清单在人们作答时增长，就会暴露他们。
fewer|There is no list. Fewer people answered this survey, or a version of it, than it reports on. A list would tell how many they were.|没有清单：此调查或其某个版本的作答人数少于可以报告的最低人数，而清单会透露人数。
nothing|There is no such survey here.|此处没有这个调查。
unreachable|The list could not be loaded. Try again later.|无法加载清单。请稍后再试。
compare|Everybody must see the same hashes. Compare them with somebody else’s.|每个人看到的哈希值都应当相同。请与他人的核对。
statement|Hash of all that is stated here|此处全部声明的哈希值
root|Hash of the {count} receipts|{count} 个回执的哈希值
parts|Hash of the sealed responses to version {number}|第 {number} 版封存回答的哈希值
`);
const word = (key, values) => say(WORDS[key], values);

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
		status.replaceChildren(word(said, {number: `${place + 1}`, count: `${receipts.count}`}));
	};
	return [
		receipts
			? [
					p('', word('intro'), ' ', receipts.pieces.length > 1 && word('large', {size: `${PIECE}`})),
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
		receipts && hashed(word('root', {count: `${receipts.count}`}), receipts.root),
		statement.versions.map(({number, parts}) => hashed(word('parts', {number: `${number}`}), parts)),
		hashed(word('statement'), digest),
		p('quiet', word('compare')),
	];
}

let stated = {};

function draw() {
	show(word('title'), stated.statement ? list(stated) : p('lead', word(stated.said)));
}

async function open() {
	const answer = await ask('statement').catch(() => ({}));
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
