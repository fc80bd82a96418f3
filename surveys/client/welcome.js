// Who asks and why, the protection in one sentence with its number, consent; then the choice to disguise or not.

import { percent, say, spoken, told } from './language.js';
import { button, h, icon, show, svg } from './page.js';
import { posterior } from './protection.js';

const PRIOR = 0.05;

/** A bound rounded outward, to whole percent. */
const sure = (gamma) => Math.ceil(100 * posterior(PRIOR, gamma) - 1e-9) / 100;

/** What the questionnaire's author wrote under a heading; nothing, if nothing was written. */
const written = (heading, text) => told(text) && h('section', {}, h('h2', {}, heading),
  told(text).split(/\n\s*\n/).map((paragraph) => h('p', spoken(), paragraph)));

export function welcome(session, way) {
  const { definition, checked, version } = session;
  const invited = definition.access === 'invitation';
  const begin = button(say('begin'), async () => {
    begin.disabled = true;
    await way.begin();
  });
  show(h('span', spoken(), told(definition.title)),
    definition.trial && h('p', { class: 'banner' }, say('trial')),
    definition.simulated && h('p', { class: 'banner' }, say('simulated')),
    written(say('who'), definition.who),
    written(say('why'), definition.why),
    protection(session),
    written(say('consent'), definition.consent),
    session.earlier > 1 && h('p', { class: 'caution' }, say('second', { posterior: percent(sure(session.earlier * session.gamma)) })),
    !checked && h('p', { class: 'caution' }, say('fingerprint'), ' ', h('code', {}, version.slice(0, 16).match(/..../g).join(' '))),
    invited && h('p', { class: 'caution' }, say('once')),
    h('div', { class: 'buttons' }, begin),
    h('p', { class: 'quiet' }, say('stored')));
}

function protection({ definition, design, gamma, asked }) {
  const { items, override } = definition;
  const drawn = asked.filter(Boolean).length;
  const values = { prior: percent(PRIOR), posterior: percent(sure(gamma)) };
  const open = definition.pages.some((page) => page.questions.some((question) => !question.sensitive));
  return h('section', { class: 'protection' },
    h('h2', {}, icon('mask'), say('protection')),
    h('p', { class: 'sentence' }, say(!items.length ? 'noDisguise' : sure(gamma) < 1 ? 'sentence' : 'weak', values)),
    items.length && sure(gamma) < 1 ? meter(values, sure(gamma)) : null,
    override && h('p', { class: 'caution' }, say('override', override), ' ', h('q', {}, override.reason)),
    drawn < items.length && h('p', {}, say('drawn', { asked: drawn, all: items.length })),
    items.length > 0 && h('details', {}, h('summary', {}, say('how')), h('p', {}, say('howText'))),
    h('details', {}, h('summary', {}, say('uncovered')), h('ul', {},
      open && h('li', {}, say('uncoveredOpen')),
      design.direct && items.length > 0 && h('li', {}, say('uncoveredDirect')),
      ['uncoveredAgain', 'uncoveredVisit', 'uncoveredSite'].map((key) => h('li', {}, say(key))))));
}

/** The two shares of the sentence as a picture: what is thought before, and at most after. */
function meter(values, after) {
  const bar = (share, kind) => svg('rect', { class: kind, width: 100 * share, height: 3 });
  return h('figure', { 'aria-hidden': 'true' },
    svg('svg', { class: 'meter', viewBox: '0 0 100 3', preserveAspectRatio: 'none' },
      bar(1, 'whole'), bar(after, 'after'), bar(PRIOR, 'before')),
    h('figcaption', {}, h('span', { class: 'before' }, say('before', values)), h('span', { class: 'after' }, say('after', values))));
}

export function choice(session, way) {
  const option = (direct, title, help) => h('label', { class: 'option card' },
    h('input', { type: 'radio', name: 'way', autocomplete: 'off', checked: session.direct === direct,
      change: () => { session.direct = direct; } }),
    h('span', {}, h('strong', {}, say(title)), h('span', { class: 'help' }, say(help))));
  show(say('choice'),
    h('form', { autocomplete: 'off', submit: (event) => { event.preventDefault(); way.questions(0); } },
      h('fieldset', { class: 'question' }, h('legend', { class: 'unseen' }, say('choice')),
        h('div', { class: 'options' }, option(false, 'disguised', 'disguisedHelp'), option(true, 'direct', 'directHelp'))),
      h('p', { class: 'help' }, say('choiceNote')),
      !session.durable && h('p', { class: 'caution' }, say('noStorage')),
      h('div', { class: 'buttons' }, h('button', { class: 'main' }, say('next')), button(say('back'), way.welcome, 'plain'))));
}
