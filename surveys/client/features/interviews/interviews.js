// Interviews on a tablet without a network, as a machine: `visit` is all that changes, and `go` alone leads from page to
// page. The interviewer's pages and the person's are apart: only *I am the interviewer* leads back to the first.

import {hex, questionsOf, readLink, sha256} from '../../exchange.js';
import {
	button,
	gap,
	h,
	header,
	load,
	onBack,
	p,
	say,
	show,
	speak,
	standSecond,
	texts,
	textOf,
	time,
	written,
} from '../../page.js';
import {protection} from '../../promise.js';
import {isShown, questions} from '../../questionnaire.js';
import {drawResponse} from '../../response.js';
import {learn} from '../texts.js';
import {encrypt, FEWEST, going, install, keep, note, pack, parcelsOf, surveys, turnAway, waiting} from './kept.js';
import {asFile, sendAll, takeOver} from './parcels.js';

const visit = {
	page: null, // which is shown
	survey: null, // what is kept of it
	session: null, // true answers live here and nowhere else
	runs: [], // the questions of one side after the other
	place: 0, // the present one of them
	isPractice: false,
	isByPhone: false,
	counted: null, // as what the last person was counted who was not asked
};

let shared; // what main.js knows of a session

const said = (name, figures) => say(`interviews.${name}`, figures);
const press = (name, task, kind) => button(`interviews.${name}`, task, kind);
const network = () => said(navigator.onLine ? 'online' : 'offline');
const stop = () => press('stop', () => turn('broken'), 'link');
const column = (...buttons) => p('buttons go', buttons);
const aloud = (...words) =>
	h(
		'section',
		{class: 'said'},
		h('b', {}, said('aloud')),
		words.flat().map(one => one && p('', one)),
	);
const short = code => h('code', {}, code.slice(0, 8).match(/..../g).join(' '));

function go(page, ...details) {
	const isTheirs = page.of === 'person';
	const leave = isTheirs ? () => go(back, true) : page === asking && visit.isByPhone && (() => turn('broken'));
	const more = () => (leave ? press('rather', leave, 'leave') : h('span', {class: 'away'}, network()));
	visit.page = page;
	const draw = () => {
		page(...details);
		if (visit.page !== page) return; // it led on at once
		if (isTheirs) document.querySelector('h1').before(h('p', {class: 'only'}, said('only')));
	};
	document.body.className = isTheirs || page === back ? 'you' : '';
	header(draw, page === back ? undefined : more);
	draw();
	if (visit.page === page) standSecond();
}

/** A page of the person's side. */
const ofPerson = page => Object.assign(page, {of: 'person'});

const isAlone = () =>
	new Promise(first => {
		navigator.locks.request('candor interviews', {ifAvailable: true}, lock => {
			first(Boolean(lock));
			return lock && new Promise(() => {}); // as long as the page is open
		});
	});

/** Its words for interviewers are English where a language has none. */
async function learnWords() {
	const [staff] = await Promise.all([load('../features/interviews/staff'), learn('interviews'), speak('rare')]);
	const own = Object.entries(texts.en).filter(([name]) => name.startsWith('interviews.'));
	const english = {...staff.en, ...Object.fromEntries(own)};
	for (const tag of Object.keys(texts)) texts[tag] = {...english, ...staff[tag], ...texts[tag]};
}

async function startWorker() {
	const address = '/i/worker.js';
	const policy = globalThis.trustedTypes?.createPolicy('worker', {createScriptURL: () => address});
	await navigator.serviceWorker?.register(policy?.createScriptURL('') ?? address, {updateViaCache: 'none'});
}

export async function run(parts) {
	shared = parts;
	await learnWords();
	onBack(standSecond); // Back leads nowhere
	if (!(await isAlone())) return go(stopped, 'tabs');
	const tell = () => document.querySelector('.away')?.replaceChildren(network());
	for (const change of ['online', 'offline']) addEventListener(change, tell);
	addEventListener('beforeunload', event => {
		if (visit.session?.answered) event.preventDefault();
	});
	await startWorker().catch(() => {});
	const reason = location.hash && (await adopt(location.href));
	history.replaceState(history.state, '', location.pathname); // the code must not stay in the history
	await begin(reason);
}

/** Take up the survey of a link, with its questionnaire; why not, if so. */
async function adopt(address) {
	const link = URL.canParse(address) ? readLink(new URL(address)) : {};
	const {survey: slug, hash: version} = link;
	const code = link.given?.('k');
	if (!slug || !code || !/^[0-9a-f]{64}$/.test(version)) return 'link';
	const answer = await fetch(`/s/${encodeURIComponent(slug)}/questionnaire`, {cache: 'no-store'}).catch(() => {});
	if (!answer?.ok) return answer ? 'unknown' : 'offline';
	const bytes = await answer.arrayBuffer();
	if ((await sha256(bytes)) !== version) return 'version';
	if (!definitionOf({bytes}).interviews?.key) return 'unknown';
	await install({slug, version, code, bytes});
	visit.survey = {slug};
}

const definitionOf = ({bytes}) => JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));

/** To the page with which a day begins; what was open when the tablet went off comes first. */
async function begin(reason, slug = visit.survey?.slug) {
	const all = await surveys();
	const survey = all.find(one => one.slug === slug) ?? all[0];
	Object.assign(visit, {survey, session: null, isPractice: false, isByPhone: false, counted: null});
	if (!survey) return go(empty, reason);
	const {looks, ...definition} = definitionOf(survey);
	visit.session = await shared.load({source: definition, version: survey.version, checked: true});
	await Promise.all([shared.understand(visit.session), learnWords()]);
	if (survey.isOpen) return go(died, await waiting(survey.slug));
	go(start, all, await waiting(survey.slug), (await parcelsOf(survey.slug)).length, reason);
	if (navigator.onLine) await hear(survey);
}

/** What the site says of the last day; without a network nothing. */
async function hear({slug}) {
	const answer = await fetch(`/s/${encodeURIComponent(slug)}/tablets`, {cache: 'no-store'}).catch(() => {});
	if (!answer?.ok) return;
	const {until, asks} = await answer.json();
	await note(slug, {until, ...(!asks && {isOver: true})});
	Object.assign(visit.survey, {until, ...(!asks && {isOver: true})});
}

const again = () => begin();
const failure = reason => reason && h('p', {class: 'caution', role: 'alert'}, said(`stopped.${reason}`));

function stopped(reason) {
	show(said('title'), p('lead', said(`stopped.${reason}`)));
}

function linkField() {
	const field = h('input', {class: 'field', type: 'url', autocomplete: 'off', 'aria-label': said('link')});
	const take = async () => begin(await adopt(field.value));
	return h('details', {}, h('summary', {}, said('link')), field, column(press('take', take, 'plain')));
}

function empty(reason) {
	show(said('put'), failure(reason), p('lead', said('putText')), p('', said('menu')), keeps(), linkField());
}

const keeps = () =>
	h('section', {class: 'protection'}, h('h2', {}, said('keeps')), p('', said('keepsText')), p('', said('keepsLost')));

const tally = ({took, turned}) =>
	h(
		'dl',
		{class: 'tally'},
		Object.entries({took, ...turned}).map(([name, count]) => h('div', {}, h('dt', {}, said(name)), h('dd', {}, count))),
	);

function start(all, count, parcels, reason) {
	const {survey, session} = visit;
	const others = all.filter(({slug}) => slug !== survey.slug);
	const toOther = ({slug, bytes}) =>
		h('button', {type: 'button', class: 'link', click: () => begin('', slug)}, textOf(definitionOf({bytes}).title));
	const isDrawn = session.design.blocks.every(({draw}) => draw);
	const ready = h('span', {role: 'status'}, said('notReady'));
	navigator.serviceWorker?.ready.then(() => ready.replaceChildren(said('ready')));
	show(
		written('span', session.definition.title),
		failure(reason),
		tally(survey),
		h(
			'ul',
			{},
			h('li', {}, ready),
			h('li', {}, said('version'), gap(), short(survey.version)),
			h('li', {}, said('key'), gap(), short(session.definition.interviews.key.slice(2))),
			h('li', {}, said('wait', {count})),
			survey.until && h('li', {}, said('until', {day: time(survey.until)})),
		),
		survey.isOver && p('caution', said('over')),
		column(
			!survey.isOver && press('first', () => meet({})),
			!survey.isOver && isDrawn && press('phone', () => meet({isByPhone: true}), 'plain'),
			press('practise', () => meet({isPractice: true}), 'plain'),
			press('send', () => toSend(), 'plain'),
		),
		others.map(other => p('', toOther(other))),
		keeps(),
		linkField(),
	);
}

const isPersistent = async () => (await navigator.storage?.persisted?.()) || (await navigator.storage?.persist?.());

async function meet(how) {
	if (!(how.isPractice || (await isPersistent()))) return begin('persist');
	Object.assign(visit, how);
	go(person);
}

async function turn(why) {
	if (!visit.isPractice) await turnAway(visit.survey.slug, why);
	visit.counted = visit.isPractice ? null : why;
	await next();
}

/** To the next person; no answer of the last one is left. */
async function next() {
	visit.session.answers?.clear();
	visit.session.answered = false;
	[visit.survey] = (await surveys()).filter(({slug}) => slug === visit.survey.slug);
	go(person);
}

async function takeBack() {
	const {survey, counted} = visit;
	visit.counted = null;
	await turnAway(survey.slug, counted, -1);
	await next();
}

const paragraphs = text => textOf(text).split(/\n\s*\n/);

function person() {
	const {survey, session, counted, isByPhone, isPractice} = visit;
	const {who, why, consent} = session.definition;
	const means = textOf(consent) && said('means', {words: textOf(consent)});
	show(
		said('person'),
		isPractice && p('caution', said('practiceText')),
		aloud([who, why].flatMap(paragraphs), means, said(isByPhone ? 'greetPhone' : 'greet')),
		column(
			press('yes', ask),
			press('no', () => turn('refused'), 'plain'),
			press('absentIs', () => turn('absent'), 'link'),
		),
		tally(survey),
		counted && p('quiet', said('counted'), gap(), press('takeBack', takeBack, 'link')),
		column(press('end', isPractice ? again : toSend, 'plain')),
	);
}

/** What is asked by the interviewer, and what by the person alone. Nothing of it is kept but that it is open. */
async function ask() {
	const {survey, session} = visit;
	Object.assign(session, shared.fresh(session), {durable: true});
	const key = hex(crypto.getRandomValues(new Uint8Array(16)));
	session.entry = {key, gamma: 1, whole: true, variants: session.variants};
	session.mode = session.definition.interviews.mode && 'interview';
	if (!visit.isPractice) await note(survey.slug, {isOpen: true});
	Object.assign(visit, {runs: runsOf(session.pages), place: -1, counted: null});
	await nextRun();
}

/** Pages of questions that one side answers, a run each; a page with questions for both is cut. */
function runsOf(pages) {
	const runs = [];
	const add = (isTheirs, page) => {
		if (runs.at(-1)?.isTheirs !== isTheirs) runs.push({isTheirs, pages: []});
		runs.at(-1).pages.push(page);
	};
	for (const page of pages) {
		if (page.draws) add(true, page);
		else
			for (const question of page.questions) {
				const own = runs.at(-1);
				const isSame = own?.isTheirs === question.sensitive && own.pages.at(-1).of === page;
				if (isSame) own.pages.at(-1).questions.push(question);
				else add(question.sensitive, {...page, of: page, questions: [question]});
			}
	}
	return runs;
}

/** Whether the tablet is turned round now. */
const isTurned = () => visit.runs[visit.place].isTheirs && !visit.isByPhone;

const way = {
	questions: number => go(isTurned() ? asked : asking, number),
	before: () => {
		if (isTurned()) go(promised);
		else if (!visit.place) go(person);
	},
	review: () => (isTurned() ? go(back) : nextRun()),
};

async function nextRun() {
	const {session, runs} = visit;
	visit.place += 1;
	const current = runs[visit.place];
	if (!current) return finish();
	session.pages = current.pages;
	if (!questionsOf(current).some(question => isShown(question, session))) return nextRun();
	if (current.isTheirs && !visit.isByPhone) go(hand);
	else go(asking, 0);
}

function asking(number) {
	questions(visit.session, way, number);
	if (visit.page !== asking) return;
	document.querySelector('h1').before(p('quiet', said(visit.isByPhone ? 'byPhone' : 'youAsk')));
	document.querySelector('main').append(column(stop()));
}

const asked = ofPerson(number => {
	questions(visit.session, way, number);
});

function hand() {
	show(said('turn'), aloud(said('turnAloud')), column(press('turned', () => go(promised))), p('buttons', stop()));
}

const promised = ofPerson(() => {
	const {title} = visit.session.definition;
	show(written('span', title), protection(visit.session), column(button('next', () => way.questions(0))));
});

/** Nothing on it tells what was pressed. */
function back(isBroken) {
	const {session, runs, place} = visit;
	const onceMore = () => {
		for (const {id} of questionsOf(runs[place])) session.answers.delete(id);
		way.questions(0);
	};
	show(
		said('give'),
		p('', said('gone')),
		column(press('me', () => (isBroken ? turn('broken') : nextRun()))),
		!isBroken && p('', press('onceMore', onceMore, 'link')),
	);
	document.querySelector('main').classList.add('blank-screen');
}

/** Coins fall here; what was answered is forgotten, and only what is encrypted is kept. */
async function finish() {
	const {survey, session, isPractice} = visit;
	const {body} = drawResponse(session);
	session.answers.clear();
	session.answered = false;
	if (isPractice) return go(saved);
	await store(await encrypt(body, session.definition.interviews.key, survey.version));
}

async function store(box) {
	try {
		await keep(visit.survey.slug, box);
	} catch {
		return go(full, box);
	}
	[visit.survey] = (await surveys()).filter(({slug}) => slug === visit.survey.slug);
	go(saved, await waiting(visit.survey.slug));
}

function full(box) {
	show(said('full'), p('lead', said('fullText')), column(button('again', () => store(box))));
}

function saved(count) {
	const {survey, isPractice} = visit;
	show(
		said(isPractice ? 'practised' : 'kept'),
		!isPractice && p('lead', said('keptText')),
		aloud(textOf(visit.session.definition.closing), said('thanks')),
		column(press('clear', next)),
		!isPractice && tally(survey),
		count && p('quiet', said('wait', {count}), gap(), said('later', {most: 2 * FEWEST, fewest: FEWEST})),
		column(press('end', isPractice ? again : toSend, 'plain')),
	);
}

function died(count) {
	const onward = task => async () => {
		await note(visit.survey.slug, {isOpen: false});
		await task();
	};
	const meetAgain = onward(() => meet({}));
	const drawn = visit.session.design.blocks.some(({draw}) => draw);
	show(
		said('died'),
		h('ul', {}, h('li', {}, said('diedSafe', {count})), h('li', {}, said('diedGone'))),
		aloud(said('diedAloud')),
		column(
			press('beginAgain', meetAgain),
			press('countBroken', () => turn('broken'), 'plain'),
		),
		drawn && p('quiet', said('newDraw')),
	);
}

async function toSend(reason, arrived) {
	const {slug} = visit.survey;
	[visit.survey] = (await surveys()).filter(one => one.slug === slug);
	const packed = await parcelsOf(slug);
	go(sending, await waiting(slug), packed, reason instanceof Event ? '' : reason, arrived);
}

const lengthOf = parcels => parcels.reduce((sum, {boxes}) => sum + boxes.length, 0);

/** Send what may go now, or `all` of it: then it was the last day. */
async function send(all) {
	const {slug} = visit.survey;
	await pack(slug, all);
	if (all) await note(slug, {isOver: true});
	const before = lengthOf(await parcelsOf(slug));
	const reason = await sendAll(visit.survey);
	await toSend(reason, before - lengthOf(await parcelsOf(slug)));
}

async function save() {
	const {slug} = visit.survey;
	await pack(slug, true);
	await note(slug, {isOver: true});
	const href = URL.createObjectURL(await asFile(visit.survey));
	h('a', {href, download: `interviews-${slug}.json`}).click();
	setTimeout(() => URL.revokeObjectURL(href), 60_000); // once it is read
	await toSend();
}

function sending(count, packed, reason, arrived) {
	const {survey} = visit;
	const damaged = lengthOf(packed.filter(({isDamaged}) => isDamaged));
	const ready = lengthOf(packed) - damaged;
	const now = going(count, survey.isOver);
	const open = async ({target}) => toSend((await takeOver(await target.files[0].text(), [survey])) ? '' : 'file');
	const waits = survey.isOver ? said('over') : said('later', {most: 2 * FEWEST, fewest: FEWEST});
	const sendNow = said('sendNow', {count: now + ready});
	const lone = Object.values(survey.unsent).some(Boolean) && count + ready === 0;
	show(
		said('sendTitle'),
		failure(reason),
		arrived > 0 && h('p', {class: 'lead', role: 'status'}, said('arrived', {count: arrived})),
		p('lead', said('wait', {count: count + ready})),
		ready > 0 && p('', said('packed', {count: ready})),
		p('', now ? said('goStay', {go: now, stay: count - now}) : waits),
		damaged > 0 && p('caution', said('damaged', {count: damaged})),
		now + ready > 0 && column(h('button', {type: 'button', class: 'main', click: () => send(survey.isOver)}, sendNow)),
		p('quiet', said('why', {fewest: FEWEST})),
		!(survey.isOver && count + ready + damaged === 0) &&
			h(
				'details',
				{},
				h('summary', {}, said('last')),
				p('', said('lastText', {count: count + ready})),
				lone && p('quiet', said('lone')),
				column(
					count + ready > 0 && press('sendAll', () => send(true), 'plain'),
					count + ready + damaged > 0 && press('save', save, 'plain'),
				),
				p('quiet', said('saveText')),
			),
		h(
			'details',
			{},
			h('summary', {}, said('takeFile')),
			h('input', {type: 'file', accept: '.json', 'aria-label': said('takeFile'), change: open}),
		),
		column(press('home', again, 'plain')),
	);
}
