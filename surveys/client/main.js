import { openAnswers, questionPages, review, truth } from './answering.js';
import { randomWord } from './chances.js';
import { disguise, drawAsked } from './disguise.js';
import { alone, erase, eraseAll, keptHere, placeFor, read, write } from './keeping.js';
import { ready, writtenIn } from './language.js';
import { button, header, unloaded } from './page.js';
import { isPartly } from './promise.js';
import { hex, load, readLink, sha256, Stop } from './questionnaire.js';
import { questionsOf } from './reading.js';
import { receipt, sending, withoutReason } from './receipt.js';
import { bodyOf, deliver } from './sending.js';
import { choice, welcome } from './welcome.js';

const path = location.pathname;
const link = readLink(location.hash);
let session; // what this visit knows; true answers live here and nowhere else
let draw; // the present step again; gives the way back, where there is one
let back;
let invitation; // its hash
let fragile; // a response on its way would not outlive this page

const way = {
  welcome: () => go(welcome),
  before: (step) => beside(step, -1),
  after: (step) => beside(step, 1),
  questions: (page, back) => go(questionPages, page, back),
  review: () => go(review),
  practice: ending(practice), begin: ending(begin), send: ending(send), another, anew, again,
};

/** Only its own failures end the way: a messenger that shows the page has scripts in it, too. */
function ending(task) {
  return () => task().catch(halt);
}

/** The steps to the questions. */
const steps = () => [welcome, session.comprehension, session.entry?.lot ? session.drawn : session.design.direct && !session.definition.lot && choice, questionPages].filter(Boolean);

const beside = (step, offset) => go(steps()[steps().indexOf(step) + offset]);

function go(step, ...details) {
  draw = () => step(session, way, ...details);
  header(() => draw(), () => button('leave', () => leave(), 'leave'));
  back = draw();
  if (back) standSecond();
  return back;
}

// Back is a step back: from its second step on the page has a second entry in the history. Back leads to the first,
// and while there is a step back the page returns. Browsers pass over entries added without a press.
const EMPTY = '/client/empty.html';
let isSecond = history.state?.second;
let hasSecond = isSecond;

function standSecond() {
  if (isSecond) return;
  if (hasSecond) history.forward();
  else history.pushState({ second: true }, '');
  isSecond = hasSecond = true;
}

addEventListener('popstate', () => {
  isSecond = history.state?.second;
  if (isSecond || !session) return;
  if (back) back();
  else history.back();
});

function leave(mine) {
  eraseAll(mine);
  session = fragile = null;
  stop();
  document.body.replaceChildren();
  const end = () => location.replace('about:blank');
  if (!hasSecond) return end();
  // Nothing leads here again: the second entry becomes an empty page, the first goes.
  history[isSecond ? 'replaceState' : 'pushState'](null, '', EMPTY);
  addEventListener('popstate', () => setTimeout(end)); // Firefox has gone back only when the event is over
  setTimeout(end, 500); // ms, if it does not go back
  history.back();
}

async function open() {
  if (!isSecureContext) throw new Stop('insecure');
  invitation = link.secret && await sha256(new TextEncoder().encode(link.secret));
  for (const [place, kept] of keptHere(path)) {
    if (kept.state === 'pending') await settle(place, kept);
  }
  const loaded = await load(link, ofLink().length);
  session = { ...loaded, place: placeFor(loaded.version, invitation), durable: true };
  writtenIn(loaded.definition.languages);
  visit();
  if (loaded.definition.access === 'invitation') Promise.all([import('./invitation.js'), import('./stopped/stopped.js')]).catch(() => {});
}

const ofLink = () => keptHere(path).filter(([place]) => place.endsWith(invitation ?? 'open')); // in all versions

/** The page for what is kept; `shown`: what is known of a response until it is left. */
function visit(shown) {
  const { definition, design, place, version } = session;
  const kept = read(place);
  const questions = questionsOf(definition);
  const columns = new Map(definition.items.map(({ id }, column) => [id, column]));
  // Another invitation to the same version is another person's.
  const earlier = keptHere(path).filter(([other]) => other === place || !other.includes(version));
  Object.assign(session, {
    left: kept ? kept.gamma : 1,
    asked: kept?.asked ?? drawAsked(design),
    answers: new Map(),
    direct: false,
    byId: new Map(questions.map((question) => [question.id, question])),
    isAsked: (id) => session.asked[columns.get(id)] ?? true,
    orders: new Map(questions.filter(({ shuffle, items, options }) => shuffle && (items ?? options)).map((question) => [question.id, shuffled(question)])),
    // An open answer of another version may tell any of this one.
    earlier: earlier.reduce((product, [, { gamma, whole }]) => product * (gamma === 1 || whole || isPartly(design) ? gamma ?? Infinity : Infinity), 1),
  });
  if (kept?.state === 'sent') go(receipt, { ...kept, ...shown });
  else if (kept?.state === 'told') halt(new Stop('duplicate'));
  else way.welcome();
}

const shuffled = ({ items, options }) => (items ?? options).map(({ last }, place) => [randomWord() + (last ? 2 ** 32 : 0), place])
  .sort(([a], [b]) => a - b).map(([, place]) => place);

/** Whether no other tab has sent anything since this page told. */
const isAsTold = (kept) => kept?.state === 'begun' && kept.gamma === session.left;

/** A module; where it cannot be had, the step stays and says so, and nothing goes on. */
const had = (loading) => loading.catch(() => { draw(); unloaded(); return new Promise(() => {}); });

async function practice() {
  const module = await had(import('./practice/practice.js'));
  go(module.practice);
}

async function begin() {
  const { definition, place, asked } = session;
  const { admit } = definition.access === 'open' ? {} : await had(import('./invitation.js'));
  const keep = (entry) => {
    session.durable = write(place, entry);
    Object.assign(session, { entry, asked: entry.asked });
  };
  await alone(place, async () => {
    const kept = read(place);
    if (kept && !isAsTold(kept)) return;
    const { blinding, token } = ofLink()[0]?.[1] ?? {};
    const key = hex(crypto.getRandomValues(new Uint8Array(16)));
    const lot = definition.lot && randomWord() < definition.lot;
    keep(kept ?? { path, gamma: 1, whole: true, state: 'begun', key, asked, lot, blinding, token });
    await admit?.(session, link.secret, keep);
  });
  if (!isAsTold(read(place))) await send();
  else way.after(welcome);
}

/** The one draw: coins fall here, once, unless another tab was first. */
async function send() {
  const { definition, version, design, place, gamma, asked, entry, direct } = session;
  back = undefined;
  let shown;
  const drawn = await alone(place, () => {
    const kept = read(place);
    if (!isAsTold(kept)) return kept;
    const { arm, armed = design } = session.drawArm?.(design) ?? {};
    const record = direct ? truth(session) : disguise(armed, truth(session), asked);
    const open = openAnswers(session);
    const body = bodyOf({ version, key: entry.key, direct: Number(direct), record, open: { ...open, arm }, token: entry.token }, definition.pad);
    const left = (entry.gamma ?? Infinity) * (direct ? Infinity : gamma);
    const whole = entry.whole && !isPartly(design);
    const pending = { path, gamma: left, whole, state: 'pending', direct, record, body, arm, lot: entry.lot };
    shown = { record, open };
    // Of direct answers is kept that they may have arrived.
    session.durable = write(place, direct ? { ...entry, gamma: left } : pending) && !direct;
    return pending;
  });
  session.answers.clear();
  if (drawn?.state === 'pending') await settle(place, drawn);
  visit(shown);
}

async function settle(place, { gamma, whole, direct, record, body, arm, lot }) {
  go(sending);
  fragile = direct || session?.durable === false;
  const { outcome, said } = await deliver(body, (seconds, retry) => go(sending, { seconds, retry, fragile }));
  fragile = false;
  if (outcome === 'stored') return write(place, { path, gamma, whole, state: 'sent', direct, record: direct ? null : record, arm, receipt: said.receipt });
  const { key, token } = JSON.parse(body);
  const asked = record.map((code) => code !== null);
  // A refusal costs no invitation and gives no second key; what another tab sent stays.
  if (read(place)?.state !== 'sent') {
    write(place, { path, gamma, whole, ...(outcome === 'duplicate' ? { state: 'told' } : { state: 'begun', key, token, asked, lot }) });
  }
  throw new Stop(outcome, { cause: { said, dropped: true } });
}

/** The newest version, by the same invitation. */
function anew() {
  history.replaceState(null, '', link.secret ? `#i=${link.secret}` : path);
  location.reload();
}

/** Somebody else: what was sent is not theirs. */
function another() {
  ofLink().forEach(([place]) => erase(place));
  again();
}

function again() {
  if (session) visit();
  else location.reload();
}

/** What nobody foresaw is the questionnaire's fault. */
async function halt(reason) {
  const { stopped } = await import('./stopped/stopped.js').catch(() => ({ stopped: withoutReason }));
  if (session !== null) go(stopped, reason instanceof Stop ? reason : new Stop('malformed'), link.secret, ofLink().map(([, kept]) => kept));
}

addEventListener('beforeunload', (event) => { if (fragile || session?.answers?.size) event.preventDefault(); });
addEventListener('hashchange', () => { if (session !== null) location.reload(); }); // another link to the same survey
addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });
addEventListener('storage', ({ key, oldValue, newValue }) => {
  if (!newValue && (!key || oldValue?.includes(`"${path}"`))) leave(true);
  else if (key === session?.place && /sent|told/.test(read(key)?.state)) visit();
});

let escapes = 0;
addEventListener('keydown', ({ key }) => {
  escapes = key === 'Escape' ? escapes + 1 : 0;
  if (escapes === 3) leave();
});

ready.then(open).catch(halt);
