import { kindOf } from './kinds.js';
import { percent, say, spoken, told } from './language.js';
import { button, form, h, icon, p, show, written } from './page.js';
import { exactly, frequencies, inFrequencies, wordsOfOpen } from './promise.js';
import { sure } from './protection.js';
import { questionsOf } from './reading.js';

const LEARN = ['learnsAsker', 'learnsEmployer', 'learnsThief', 'learnsSite'];

const isOpen = (definition) => questionsOf(definition).some(({ sensitive }) => !sensitive);

const headed = (key, { [key]: text }) => told(text) && [h('h2', {}, say(key)),
  told(text).split(/\n\s*\n/).map((paragraph) => h('p', spoken(), paragraph))];

export function welcome(session, way) {
  const { definition, design, checked, version, earlier, gamma } = session;
  const begin = button('begin', () => {
    begin.disabled = true;
    way.begin();
  });
  show(written('span', definition.title),
    ['trial', 'simulated', 'early', 'beside'].map((kind) => definition[kind] && p('caution', say(kind))),
    headed('who', definition),
    headed('why', definition),
    protection(session),
    headed('consent', definition),
    earlier > 1 && [p('caution', say(wordsOfOpen(design.blocks).second ?? 'second', { posterior: percent(sure(earlier * gamma)) })),
      definition.access === 'open' && button('another', way.another, 'plain')],
    !checked && p('caution', say('fingerprint'), ' ', h('code', {}, version.slice(0, 16).match(/..../g).join(' '))),
    definition.access === 'invitation' && p('caution', say('once')),
    p('buttons', begin, button('practice', way.practice, 'plain')),
    p('quiet', say('stored'), ' ', (design.direct || isOpen(definition)) && [say('storedGiven'), ' '], say(wordsOfOpen(design.blocks).stored ?? 'storedTruth')));
}

function protection({ definition, design, asked, notes }) {
  const { items, override } = definition;
  const drawn = asked.filter(Boolean).length;
  return h('section', { class: 'protection' },
    h('h2', {}, icon('mask'), say('protection')),
    inFrequencies(frequencies(design)),
    isOpen(definition) && p('', say('ifMarked')),
    design.direct && p('', say('ifDisguised')),
    notes?.(definition),
    override && p('caution', say('override', override), ' ', h('q', {}, override.reason)),
    drawn < items.length && p('', say('drawn', { asked: drawn, all: items.length })),
    h('h3', {}, say('learns')),
    h('ul', {}, LEARN.map((key) => h('li', {}, h('strong', {}, say(key)), ' ', say(`${key}Text`)))),
    h('details', {}, h('summary', {}, say('exactly')), exactly(design)),
    h('details', {}, h('summary', {}, say('how')),
      p('', [...new Set(design.blocks.map(kindOf))].map(({ words }) => [say(words.how), ' ']), say('manyTell'))),
    h('details', {}, h('summary', {}, say('uncovered')), h('ul', {},
      [design.direct && 'uncoveredDirect', 'uncoveredAgain'].map((key) => key && h('li', {}, say(key))))));
}

export function choice(session, way) {
  const option = (direct, title, help) => h('label', { class: 'option' },
    h('input', { type: 'radio', name: 'way', checked: session.direct === direct, change: () => { session.direct = direct; } }),
    h('span', {}, h('strong', {}, say(title)), h('span', { class: 'help' }, say(help))));
  const previous = () => way.before(choice);
  show(say('choice'), form(() => way.after(choice), [
    h('div', { class: 'options', role: 'radiogroup', 'aria-label': say('choice') },
      option(false, 'disguised', 'disguisedHelp'), option(true, 'direct', 'directHelp')),
    p('help', say('uncoveredDirect')),
    !session.durable && p('caution', say('noStorage'))], button('back', previous, 'plain')));
  return previous;
}
