// A device that several people use, one after the other: its link has a key of the site (p). All is in the memory of
// the page, but for what waits to be sent. That is encrypted, so that only the site can read it, and holds nobody up.

import {insist} from '../../chances.js';
import {erase, path, readLink, Stop, write} from '../../exchange.js';
import {button, h, p, say, show} from '../../page.js';
import {welcome} from '../../promise.js';
import {attempt, number} from '../../response.js';
import {encrypt} from '../interviews/kept.js';
import {toText} from '../interviews/parcels.js';
import {learn} from '../texts.js';

const BOXES = `candor-box ${path} `; // before what is drawn: names tell no order
const PAUSE = 60_000; // between tries, in milliseconds, as all these
const PATIENCE = 5_000; // with the site, while somebody waits
const SHOWN = 30_000; // so long stays an end that nobody touches
const IDLE = 300_000; // and what is begun
const LOOK = 1_000; // between looks at the clock

const {device: key} = readLink(location);
const waiting = new Map(); // messages by their places in the storage, as far as that has room
const met = new WeakSet(); // by their answers, who has read that nothing is here of others
const present = {person: 0, limit: 0, until: Infinity};

async function keep(body) {
	const {version} = JSON.parse(body);
	const place = BOXES + crypto.randomUUID();
	waiting.set(place, JSON.stringify({version, box: toText(await encrypt(body, key, version))}));
	try {
		localStorage.setItem(place, waiting.get(place));
	} catch {} // it is full
	return place;
}

/** One try. What the site has, or never takes, goes; what comes before the survey opens again waits. */
async function send(place) {
	const tried = await attempt(waiting.get(place), 'boxes');
	if (tried.said?.error === 'not-open') return {};
	if (tried.outcome && waiting.delete(place)) localStorage.removeItem(place);
	return tried;
}

async function sendAll() {
	for (const place of waiting.keys()) if (!(await send(place)).outcome) return;
}

/** Of a survey that has closed, while no page was open. */
export function forgetBoxes() {
	for (const place of Object.keys(localStorage)) if (place.startsWith(BOXES)) localStorage.removeItem(place);
}

/** What waits, and what the browser kept while it was one person's. */
async function takeOver([place, text]) {
	if (place.startsWith(BOXES)) waiting.set(place, text);
	if (!place.startsWith('candor:') || !text.includes(`"${path}"`)) return;
	const {state, body} = JSON.parse(text);
	if (state === 'pending') await keep(body);
	localStorage.removeItem(place);
}

export async function ready({definition: {access, study}}) {
	insist(access === 'open' && !study, 'its people come by another link');
	insist(await encrypt('', key, '00').catch(() => false), 'the key of its link is none');
	await Promise.all([learn('shared'), ...Object.entries(localStorage).map(takeOver)]);
	for (const touched of ['pointerdown', 'keydown', 'scroll', 'visibilitychange']) addEventListener(touched, wait);
	setInterval(look, LOOK);
	addEventListener('online', sendAll);
	setInterval(sendAll, PAUSE);
	sendAll();
}

/** Encrypted and kept first, then sent; who waits for long need not. */
export async function settle(place, {gamma, direct, body}) {
	const {person} = present;
	const patience = new Promise(end => setTimeout(end, PATIENCE, {}));
	const {outcome, said = {}} = await Promise.race([send(await keep(body)), patience]);
	if (person !== present.person) return new Promise(() => {}); // another has begun
	erase(place);
	if (outcome && outcome !== 'stored') throw new Stop(outcome, {cause: {said, dropped: true}});
	const come = outcome ? 'arrived' : 'shared.waits';
	write(place, {path, gamma, direct, state: 'sent', receipt: said.receipt, come});
	if (outcome) sendAll();
}

function wait() {
	look();
	clearTimeout(present.timer);
	const {limit} = present;
	Object.assign(present, limit ? {timer: setTimeout(clear, limit), until: Date.now() + limit} : {until: Infinity});
}

/** While a device sleeps, its clock goes on and timers stand still. */
function look() {
	if (Date.now() > present.until) clear();
}

export function reached(state, session) {
	Object.assign(session, {durable: true, forgot: false});
	present.limit = state === 'receipt' ? SHOWN : met.has(session.answers) && IDLE;
	wait();
}

/** For the next person, in the first language. */
export async function clear() {
	present.person += 1;
	const menu = document.querySelector('header select') ?? h('select', {});
	Object.assign(menu, {value: present.language}).dispatchEvent(new Event('change'));
	await new Promise(end => setTimeout(end)); // its texts are here
	present.another();
}

/** Back leads nowhere: who presses it may be the next. */
function meet(session, way) {
	present.another = way.another;
	present.language ??= document.querySelector('header select')?.value;
	if (met.has(session.answers)) {
		welcome(session, way);
		document.querySelector('main > :last-child').replaceChildren(say('shared.keeps'));
	} else {
		const begin = () => met.add(session.answers) && way.welcome();
		show(say('shared.ready'), p('lead', say('shared.nobody')), p('buttons', button('shared.begin', begin)));
	}
	return way.welcome;
}

export const door = {welcome: meet};

/** In place of what was sent. */
export const next = ({receipt}) => [
	p('', h('b', {}, say('shared.nothing'))),
	p('buttons', button('shared.clear', clear)),
	p('quiet', say('shared.clears')),
	receipt && button('shared.number', ({target}) => target.replaceWith(number({receipt})), 'link'),
];
