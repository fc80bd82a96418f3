import { kindOf } from './kinds.js';
import { percent, say, spoken, told } from './language.js';
import { button, form, h, icon, p, show, written } from './page.js';
import { gamma, odds, sure } from './protection.js';
import { questionsOf } from './reading.js';

const PRIOR = 0.05;

const headed = (key, { [key]: text }) => told(text) && [h('h2', {}, say(key)),
  told(text).split(/\n\s*\n/).map((paragraph) => h('p', spoken(), paragraph))];

export function welcome(session, way) {
  const { definition, checked, version, earlier, gamma } = session;
  const begin = button('begin', () => {
    begin.disabled = true;
    way.begin();
  });
  show(written('span', definition.title),
    ['trial', 'simulated'].map((kind) => definition[kind] && p('caution', say(kind))),
    headed('who', definition),
    headed('why', definition),
    protection(session),
    headed('consent', definition),
    earlier > 1 && [p('caution', say('second', { posterior: percent(sure(earlier * gamma)) })),
      definition.access === 'open' && button('another', way.another, 'plain')],
    !checked && p('caution', say('fingerprint'), ' ', h('code', {}, version.slice(0, 16).match(/..../g).join(' '))),
    definition.access === 'invitation' && p('caution', say('once')),
    p('buttons', begin),
    p('quiet', say('stored')));
}

/** What a record can tell at most: of all blocks together that leave an answer open, and of those that hide every one. */
function promises(design) {
  const [whole, partly] = [false, true].map((isOpen) => design.blocks.filter((block) => Boolean(kindOf(block).open) === isOpen));
  const told = (key, bound) => say(bound < 1 ? key : 'weak', { prior: percent(PRIOR), posterior: percent(bound) });
  const promised = [];
  if (partly.length) {
    // An open answer to one question may tell of another: the promise is of all such questions together.
    const bound = sure(odds(design));
    const sentences = partly.flatMap((block) => {
      const { open, words } = kindOf(block);
      const { share, ...answers } = open(block);
      const said = [words.open, bound < 1 && words.turned].filter(Boolean);
      return said.map((text) => say(text, { ...answers, share: percent(share, 1) }));
    });
    promised.push({ bound, words: [...new Set(sentences), told('partly', bound)].join(' ') });
  }
  if (whole.length) {
    const bound = sure(gamma({ ...design, blocks: whole }));
    promised.push({ bound, words: told(partly.length ? 'others' : 'sentence', bound) });
  }
  return promised;
}

function protection({ definition, design, asked }) {
  const { items, override } = definition;
  const drawn = asked.filter(Boolean).length;
  const open = questionsOf(definition).some(({ sensitive }) => !sensitive);
  const uncovered = [open && 'Open', design.direct && 'Direct', 'Again', 'Visit', 'Site'];
  return h('section', { class: 'protection' },
    h('h2', {}, icon('mask'), say('protection')),
    promises(design).map(({ words, bound }) => [p('lead', words),
      h('p', { class: 'shares', 'aria-hidden': 'true' }, [PRIOR, bound].map((share) => [h('progress', { value: share }), percent(share)]))]),
    override && p('caution', say('override', override), ' ', h('q', {}, override.reason)),
    drawn < items.length && p('', say('drawn', { asked: drawn, all: items.length })),
    h('details', {}, h('summary', {}, say('how')),
      p('', [...new Set(design.blocks.map(kindOf))].map(({ words }) => [say(words.how), ' ']), say('together'))),
    h('details', {}, h('summary', {}, say('uncovered')), h('ul', {}, uncovered.map((key) => key && h('li', {}, say(`uncovered${key}`))))));
}

export function choice(session, way) {
  const isPartly = session.design.blocks.some((block) => kindOf(block).open);
  const option = (direct, title, help) => h('label', { class: 'option' },
    h('input', { type: 'radio', name: 'way', checked: session.direct === direct, change: () => { session.direct = direct; } }),
    h('span', {}, h('strong', {}, say(title)), h('span', { class: 'help' }, say(help))));
  show(say('choice'), form(() => way.questions(0), [
    h('div', { class: 'options', role: 'radiogroup', 'aria-label': say('choice') },
      option(false, 'disguised', isPartly ? 'partlyHelp' : 'disguisedHelp'), option(true, 'direct', 'directHelp')),
    p('help', say('uncoveredDirect')),
    !session.durable && p('caution', say('noStorage'))], button('back', way.welcome, 'plain')));
}
