// One visit, as a machine: `visit` is all that changes, and `go` alone leads from state to state. Each has a page of its
// name, which gives the way back; `way` is what is pressed.

import {insist, randomWord} from './chances.js';
import {drawAsked, loadKinds, odds} from './disguise.js';
import {
	alone,
	erase,
	eraseAll,
	hex,
	home,
	keptHere,
	path,
	mixedOf,
	placeFor,
	questionsOf,
	read,
	readLink,
	receive,
	Stop,
	sha256,
	write,
} from './exchange.js';
import {button, canSpeak, goAway, header, onBack, speak, standSecond, unloaded, withRare, writtenIn} from './page.js';
import {isPartly, welcome, withoutReason} from './promise.js';

const link = readLink(location);
let reloaded = history.state?.second; // answers are forgotten

const visit = {
	state: 'opening', // then a key of `pages`, or 'left'
	session: null, // true answers live here and nowhere else
	invitation: null, // its hash
	draw: null, // the page again
	back: null, // the way a step back
	fragile: false, // a response on its way would not outlive this page
	escapes: 0, // pressed in a row
};

const pages = {welcome}; // others come when wanted

let rest; // what Begin needs

const loadRest = () =>
	(rest ??= allOf(import('./questionnaire.js'), import('./response.js')).then(all => Object.assign(pages, ...all)));

const allOf = (...loading) =>
	Promise.all(loading).catch(fault => {
		throw fault instanceof RangeError ? fault : new Stop('unreachable');
	});

/** What few have: its fields, and its module. */
const FEW = {
	comprehension: () => import('./features/comprehension/comprehension.js'),
	'lot careless study mode interviews': () => withRare(import('./features/checks/checks.js')),
	'panel out enough parameter': () => withRare(import('./features/panel/panel.js')),
	notice: () => import('./features/notice/notice.js'),
	looks: () => import('./features/looks/looks.js'),
	draw: () => withRare(import('./features/own/own.js')),
	frames: () => home.startsWith('/f/') && import('./features/frames/frames.js'),
	'shuffle moves': () => import('./features/order/order.js'),
	when: () => import('./features/questions/when.js'),
	chances: () => withRare(import('./features/questions/variants.js')),
	pipes: () => import('./features/questions/pipes.js'),
	media: () => withRare(import('./features/questions/media.js')),
	'one-of group-of': () => import('./features/word/word.js'),
	device: () => import('./features/shared/shared.js'),
};

function loadFew(source) {
	const asked = questionsOf(source).map(question => ({...question, shuffle: mixedOf(question)}));
	const parts = [link, source, source.design, ...source.design.blocks, ...source.pages, ...asked];
	const has = fields => fields.split(' ').some(field => parts.some(part => part[field]));
	return Promise.all(Object.entries(FEW).map(([fields, load]) => has(fields) && load()));
}

const order = ({definition, design, entry}) =>
	[
		'welcome',
		pages.comprehension && 'comprehension',
		entry?.lot ? 'drawn' : design.direct && !definition.lot && 'choice',
		'questions',
	].filter(Boolean);

function go(state, ...details) {
	if (visit.state === 'left') return;
	visit.state = state;
	visit.session?.reached?.(state, visit.session);
	visit.draw = () => pages[state](visit.session, way, ...details);
	header(
		() => visit.draw(),
		() => button('leave', () => leave(), 'leave'),
	);
	visit.back = visit.draw();
	if (visit.back) standSecond();
	return visit.back;
}

function beside(offset, state = visit.state) {
	const states = order(visit.session);
	return go(states[states.indexOf(state) + offset]);
}

/** Only its own failures end the way: messengers add scripts. */
const ending = task => () => task().catch(halt);

const way = {
	welcome: () => go('welcome'),
	practice: ending(practice),
	begin: ending(begin),
	before: () => beside(-1),
	after: () => beside(1),
	questions: (page, back) => go('questions', page, back),
	review: () => go('review'),
	send: ending(send),
	another,
	again,
	out: how => go('out', how),
};

async function open() {
	if (!isSecureContext) throw new Stop('insecure');
	visit.invitation = await invitationOf(link.secret);
	for (const [place, kept] of keptHere(path)) {
		if (kept.state !== 'pending') continue;
		await speak();
		await settle(place, kept);
	}
	const loaded = await load(await receive(link));
	visit.session = Object.assign(loaded, {place: placeFor(loaded.version, visit.invitation), durable: true});
	const {comprehension, drawn, out, door} = loaded;
	Object.assign(pages, {comprehension, drawn, out}, door);
	const understood = understand(loaded).catch(error => error);
	await speak();
	await start();
	const fault = await understood;
	if (fault && !(fault instanceof Stop)) throw fault; // Begin says what is missing
	if (loaded.definition.access === 'invitation')
		Promise.all([import('./invitation.js'), import('./stopped/stopped.js'), speak('rare')]).catch(() => {});
}

const invitationOf = secret => secret && sha256(new TextEncoder().encode(secret));

async function load({source: definition, version, checked}) {
	const {access, design, panel, pad, languages, texts} = definition;
	insist(self === top || frameElement || (definition.frames && home.startsWith('/f/')));
	insist(definition.candor === 1 && pad > 0 && Intl.getCanonicalLocales(languages).length);
	writtenIn(languages, texts); // also where the way ends here
	const given = link.given(panel?.number);
	const number = given?.match(/^[^{}[\]%$]+$/)?.[0]; // filled in
	if (panel?.number && access === 'invitation') {
		link.secret = number;
		visit.invitation = await invitationOf(number);
	}
	const isUsual = block => ['keep', 'by-gamma', 'flips'].some(field => field in block);
	const [loaded] = await allOf(loadFew(definition), loadKinds(design), design.blocks.every(isUsual) || speak('rare'));
	// An invitation needs the hash, or one kept from a version.
	if (access === 'invitation' && !(link.secret && (link.hash || ofLink().length)))
		throw new Stop(given && !number ? 'unfilled' : 'incomplete');
	const few = loaded.filter(Boolean);
	const gamma = odds(design);
	const session = Object.assign({secrets: design}, ...few, {few, definition, design, version, checked, gamma, number});
	for (const {ready} of few) await allOf(ready?.(session));
	if (!session.canAsk?.(design)) session.comprehension = undefined;
	return session;
}

const ofLink = () => keptHere(path).filter(([place]) => place.endsWith(visit.invitation ?? 'open')); // in all versions

async function understand({definition}) {
	const {loadTypes, locate} = await loadRest();
	await allOf(loadTypes(questionsOf(definition)));
	definition.items = locate(definition);
}

/** `shown`: known until it is left. */
async function start(shown) {
	const {session} = visit;
	const kept = read(session.place);
	Object.assign(session, fresh(session, kept), {forgot: reloaded});
	reloaded = false;
	if (kept?.state === 'sent') {
		await understand(session);
		go('receipt', {...kept, ...shown});
	} else if (kept?.out) go('out', kept.out);
	else if (kept?.state === 'told' || (session.definition.key && ofLink().some(([, {receipt}]) => receipt)))
		halt(new Stop('duplicate'));
	else go('welcome');
}

function fresh(session, kept) {
	const {definition, design, place, version} = session;
	const asked = questionsOf(definition);
	const items = design.blocks.flatMap(block => block.items);
	const columns = new Map(items.map(({id}, column) => [id, column]));
	// Another invitation is another person's.
	const earlier = keptHere(path).filter(([other]) => other === place || !other.includes(version));
	// An open answer of another version may reveal any of this one.
	const {variants, pages} = {...definition, ...session.drawVariants?.(definition, kept)};
	const gammaOf = ({gamma, whole}) => (gamma === 1 || whole || isPartly(design) ? (gamma ?? Infinity) : Infinity);
	return {
		left: kept ? kept.gamma : 1,
		asked: kept?.asked ?? drawAsked(design),
		answered: false,
		answers: new Map([session.fromAddress?.(asked, link), variants].flatMap(known => known ?? [])),
		variants,
		direct: false,
		byId: new Map(asked.map(question => [question.id, question])),
		isAsked: id => session.asked[columns.get(id)] ?? true,
		orders: new Map(),
		pages,
		...session.drawOrder?.(pages),
		earlier: earlier.reduce((product, [, entry]) => product * gammaOf(entry), 1),
	};
}

const had = loading =>
	loading.catch(() => {
		visit.draw();
		unloaded();
		return new Promise(() => {});
	});

async function practice() {
	await had(understand(visit.session));
	Object.assign(pages, await had(withRare(import('./practice/practice.js'))));
	go('practice');
}

/** Whether no other tab has sent since. */
const isAsShown = kept => kept?.state === 'begun' && kept.gamma === visit.session.left;

async function begin() {
	const {session} = visit;
	const {definition, place, asked} = session;
	await had(understand(session));
	const {admit} = definition.access === 'open' ? {} : await had(import('./invitation.js'));
	const keep = entry => {
		session.durable = write(place, entry);
		for (const drawn of entry.variants ?? []) session.answers.set(...drawn);
		Object.assign(session, {entry, asked: entry.asked, forgot: false});
	};
	await alone(place, async () => {
		const kept = read(place);
		if (kept && !isAsShown(kept)) return;
		const {blinding, token} = ofLink()[0]?.[1] ?? {};
		const key = hex(crypto.getRandomValues(new Uint8Array(16)));
		const lot = definition.lot && randomWord() < definition.lot;
		const {variants} = session;
		keep(kept ?? {path, gamma: 1, whole: true, state: 'begun', key, asked, lot, variants, blinding, token});
		await admit?.(session, link.secret, keep);
	});
	if (!isAsShown(read(place))) await send();
	else beside(1, 'welcome');
}

/** The one draw: coins fall here, once, unless another tab was first. */
async function send() {
	const {session} = visit;
	visit.back = null;
	let shown;
	const drawn = await alone(session.place, () => {
		const kept = read(session.place);
		if (!isAsShown(kept)) return kept;
		const {open, ...pending} = pages.drawResponse(session);
		const {direct, gamma, record} = pending;
		shown = {record, open};
		// Of direct answers is kept that they may have arrived.
		session.durable = write(session.place, direct ? {...session.entry, gamma} : pending) && !direct;
		return pending;
	});
	session.answers.clear();
	session.answered = false;
	if (drawn?.state === 'pending') await settle(session.place, drawn);
	await start(shown);
}

async function settle(place, pending) {
	const rest = await loadRest();
	go('sending');
	visit.fragile = pending.direct || visit.session?.durable === false;
	const waiting = (seconds, retry) => go('sending', {seconds, retry, fragile: visit.fragile});
	await (visit.session?.settle ?? rest.settle)(place, pending, waiting).finally(() => {
		visit.fragile = false;
	});
}

function another() {
	ofLink().forEach(([place]) => erase(place));
	again();
}

function again() {
	if (visit.session) start();
	else location.reload();
}

/** What nobody foresaw is its fault. */
async function halt(reason) {
	if (!(await canSpeak())) return; // the page has not begun, and says what helps
	const [stopped] = await Promise.all([import('./stopped/stopped.js'), speak('rare')]).catch(() => [
		{stopped: withoutReason},
	]);
	Object.assign(pages, stopped);
	const known = reason instanceof Stop ? reason : new Stop('malformed');
	const kept = ofLink().map(([, entry]) => entry);
	go('stopped', ...((await stopped.remember?.(known, kept, visit, link)) ?? [known, link.secret, kept]));
}

/** For good; `mine`: another tab has left. */
function leave(mine) {
	if (!mine && visit.session?.clear) return visit.session.clear();
	eraseAll(mine);
	visit.session?.reached?.('left', visit.session);
	Object.assign(visit, {state: 'left', session: null, fragile: false});
	stop();
	document.body.replaceChildren();
	goAway();
}

onBack(() => visit.session && (visit.back ? visit.back() : history.back()));
addEventListener('beforeunload', event => {
	if (visit.fragile || visit.session?.answered) event.preventDefault();
});
addEventListener('hashchange', () => {
	if (visit.state !== 'left') location.reload(); // another link to the same survey
});
/** By Back somebody else may come. */
addEventListener('pagehide', ({persisted}) => {
	if (!persisted) return;
	Object.assign(visit, {session: null, fragile: false});
	document.body.replaceChildren();
});
addEventListener('pageshow', ({persisted}) => {
	if (persisted) location.reload();
});
addEventListener('storage', ({key, oldValue, newValue}) => {
	if (!newValue && (!key || oldValue?.includes(`"${path}"`))) leave(true);
	else if (key === visit.session?.place && /sent|told/.test(read(key)?.state)) ending(start)();
});
addEventListener('keydown', ({key}) => {
	visit.escapes = key === 'Escape' ? visit.escapes + 1 : 0;
	if (visit.escapes === 3) leave();
});

if (home.startsWith('/i/'))
	import('./features/interviews/interviews.js').then(({run}) => run({load, fresh, understand}));
else open().catch(halt);
