// The way of a respondent: welcome, choice, questions, review, sending, receipt. One step is on the page at a time.

import { openAnswers, questionPages, review, truth } from './answering.js';
import { below, disguise, drawAsked } from './disguise.js';
import { alone, erase, eraseAll, keptHere, placeFor, read, write } from './keeping.js';
import { choose, choices, say, writtenIn } from './language.js';
import { h, icon } from './page.js';
import { hex, load, questionsOf, readLink, sha256, Stop } from './questionnaire.js';
import { receipt, sending, stopped } from './receipt.js';
import { bodyOf, deliver } from './sending.js';
import { choice, welcome } from './welcome.js';

const path = location.pathname;
const link = readLink(location.hash);
let session; // what this visit knows; true answers live here and nowhere else
let draw; // shows the present step again, in the language at hand
let fragile = false; // a response is on its way that would not outlive this page

/** The steps a page can ask for. */
const way = {
  welcome: () => go(welcome),
  start: () => go(session.design.direct ? choice : welcome),
  questions: (page, back) => go(questionPages, page, back),
  review: () => go(review),
  begin, send, another,
};

function go(step, ...details) {
  draw = () => step(session, way, ...details);
  header();
  draw();
}

const stop = (reason, details) => go(stopped, reason, details);

function header() {
  const top = document.querySelector('#top');
  const change = ({ target }) => {
    choose(target.value);
    header();
    draw();
    top.querySelector('select').focus();
  };
  top.replaceChildren(
    h('span', { class: 'brand' }, icon('mask'), 'Candor'),
    h('select', { 'aria-label': say('language'), autocomplete: 'off', change },
      choices().map(({ tag, name, chosen }) => h('option', { value: tag, lang: tag, selected: chosen }, name))),
    h('button', { type: 'button', class: 'leave', title: say('leaveHelp'), click: leave }, say('leave')));
}

/** Nothing stays: neither what the page shows nor what it kept. */
function leave() {
  session = null;
  fragile = false;
  eraseAll();
  document.body.replaceChildren();
  location.replace('about:blank');
}

/** A part of the way that may end in a reason to stop; true if it did not. */
async function passes(part, details) {
  try {
    await part();
    return true;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    stop(error.message, details?.());
  }
}

async function open() {
  if (!isSecureContext || !crypto.subtle) return stop('insecure');
  for (const [place, kept] of keptHere(path)) {
    if (kept.state === 'pending' && !await settle(place, kept)) return;
  }
  const invitation = link.secret && await sha256(new TextEncoder().encode(link.secret));
  await passes(async () => {
    const loaded = await load(link);
    session = { ...loaded, place: placeFor(loaded.version, invitation), durable: true };
    writtenIn(loaded.definition.languages);
    visit();
  }, () => read(placeFor(link.hash, invitation)));
}

/** A visit of one person: what was drawn or sent before holds, otherwise the draws are made now. */
function visit() {
  const { definition, design, place, version } = session;
  const kept = read(place);
  const questions = questionsOf(definition);
  const columns = new Map(definition.items.map(({ id }, column) => [id, column]));
  const earlier = keptHere(path).filter(([other, { state }]) => !other.includes(version) && ['sent', 'told'].includes(state));
  Object.assign(session, {
    asked: kept?.asked ?? drawAsked(design),
    answers: new Map(),
    direct: false,
    sent: null, // what this page itself has drawn
    byId: new Map(questions.map((question) => [question.id, question])),
    isAsked: (id) => session.asked[columns.get(id)] ?? true, // an open question always is
    orders: new Map(questions.filter(({ shuffle }) => shuffle).map((question) => [question.id, shuffled(question)])),
    earlier: earlier.reduce((product, [, { gamma }]) => product * gamma, 1),
  });
  if (kept?.state === 'sent') go(receipt, kept);
  else way.welcome();
}

/** A random order of a question's options, by Fisher and Yates; those marked last stay at the end. */
function shuffled({ options, items }) {
  const places = (options ?? items).map((_, place) => place);
  for (let end = places.length; end > 1; end--) {
    const other = below(end);
    [places[end - 1], places[other]] = [places[other], places[end - 1]];
  }
  const isLast = (place) => Number(options?.[place].last ?? false);
  return places.sort((a, b) => isLast(a) - isLast(b));
}

/** Whether the coins have been tossed, here or in another tab. */
const isDrawn = (kept) => ['pending', 'sent'].includes(kept?.state);

/** Consent is given: from here on the page keeps its random numbers, and an invitation is exchanged. */
async function begin() {
  const { definition, design, version, place, gamma, asked } = session;
  const keep = (entry) => {
    session.durable = write(place, entry);
    Object.assign(session, { entry, asked: entry.asked });
  };
  const begun = await passes(() => alone(place, async () => {
    const kept = read(place);
    if (isDrawn(kept)) return;
    const key = hex(crypto.getRandomValues(new Uint8Array(16)));
    keep(kept?.state === 'begun' ? kept : { path, gamma, state: 'begun', key, asked });
    if (definition.access === 'open' || session.entry.token) return;
    const { blind, exchange } = await import('./invitation.js');
    if (!session.entry.blinding) keep({ ...session.entry, blinding: await blind(definition.key) });
    const { blinding, ...entry } = session.entry;
    keep({ ...entry, token: await exchange(definition.key, version, link.secret, blinding) });
  }));
  if (!begun) return;
  if (isDrawn(read(place))) send();
  else if (design.direct) way.start();
  else way.questions(0);
}

/** The one draw. Coins fall here, once, for all blocks; if another tab was first, what it drew is sent. */
async function send() {
  const { definition, version, design, place, gamma, asked, entry, direct } = session;
  const drawn = await alone(place, () => {
    const kept = read(place);
    if (isDrawn(kept)) return kept;
    const record = direct ? truth(session) : disguise(design, truth(session), asked);
    const open = openAnswers(session);
    const body = bodyOf({ version, key: entry.key, direct: Number(direct), record, open, token: entry.token }, definition.pad);
    const pending = { path, gamma, state: 'pending', direct, record, body };
    session.sent = { record, open };
    session.durable = !direct && write(place, pending); // true answers are kept nowhere, even when they are sent
    return pending;
  });
  session.answers.clear();
  if (drawn.state === 'sent' || await settle(place, drawn)) go(receipt, { ...read(place), ...session.sent });
}

/** Deliver a response, and keep what comes of it; true if the server holds it. */
async function settle(place, { gamma, direct, record, body }) {
  go(sending);
  fragile = direct || session?.durable === false;
  const { outcome, receipt } = await deliver(body, (seconds, retry) => go(sending, { seconds, retry, fragile }));
  fragile = false;
  if (outcome === 'stored') {
    write(place, { path, gamma, state: 'sent', direct, record: direct ? null : record, receipt });
    return true;
  }
  if (['closed', 'refused'].includes(outcome)) erase(place);
  else write(place, { path, gamma, state: 'told' });
  stop(outcome, { dropped: true });
}

function another() {
  erase(session.place);
  visit();
}

addEventListener('beforeunload', (event) => { if (fragile || session?.answers?.size) event.preventDefault(); });
addEventListener('hashchange', () => location.reload()); // another link to the same survey
addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });
addEventListener('storage', ({ key }) => {
  const kept = key === session?.place && read(key);
  if (kept?.state !== 'sent') return;
  session.answers.clear();
  go(receipt, kept);
});

let escapes = [];
addEventListener('keydown', ({ key, timeStamp }) => {
  escapes = key === 'Escape' ? [...escapes, timeStamp].slice(-3) : [];
  if (timeStamp - escapes[0] < 2000 && escapes.length === 3) leave();
});

open();
