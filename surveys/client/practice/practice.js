// A practice question: the disguise at work before anything is asked. Nothing of it is sent or kept, and its draws are
// its own: the response is drawn once, at Send.

import { ONE } from '../chances.js';
import { disguise } from '../disguise.js';
import '../kinds/coin.js'; // at hand also where the survey has no coin
import { kindOf, loadKinds } from '../kinds.js';
import { say } from '../language.js';
import { button, h, p, show } from '../page.js';
import { typeOf } from '../types.js';
import { words } from './words.js';

const COIN = { keep: ONE / 2, items: [{ id: 'breakfast', options: ['0', '1'], noise: [ONE / 2, ONE / 2] }] };

loadKinds({ blocks: [COIN] });

/** The survey's first block that asks a yes/no question, whole, and the place of that question in it; or else a coin. */
function practised({ blocks }) {
  const placed = blocks.map((block) => ({ block, place: block.items.findIndex(({ options }) => `${options}` === '0,1') }));
  return placed.find(({ place }) => place >= 0) ?? { block: COIN, place: 0 };
}

/** What would be stored of the answer: other questions of the block are disguised with it, as in a response. */
function drawn({ block, place }, answer) {
  const asked = block.items.map(() => false);
  asked[place] = true;
  for (let other = 0, left = (block.ask ?? asked.length) - 1; left > 0; other += 1) {
    if (asked[other]) continue;
    asked[other] = true;
    left -= 1;
  }
  const answers = asked.map((isAsked, other) => (isAsked ? (other === place ? answer : 0) : null));
  return disguise({ of: ONE, blocks: [block] }, answers, asked)[place];
}

export function practice(session, way) {
  const onGrid = session.definition.items.filter(({ options }) => !options);
  const here = practised(session.design);
  const isOwn = here.block !== COIN;
  show(say('practice'),
    p('lead', say(words.note)),
    p('', say(isOwn || onGrid.length ? words.own : words.coin)),
    (isOwn || !onGrid.length) && breakfast(here), onGrid.map((item) => onOneGrid(session, item)),
    p('buttons', button(words.done, way.welcome)));
  return way.welcome;
}

/** A number or a place, any: its own controls, and what would be stored of it. */
function onOneGrid(session, { question, block, ...item }) {
  const { problem, controls, inWords, valueOf, valueInWords, isField } = typeOf(question);
  const answers = new Map();
  const said = h('p', { class: 'lead', role: 'status' });
  const id = `q-${question.id}-any`;
  const give = (answer) => { answers.set(question.id, answer); };
  const draw = () => {
    const given = answers.get(question.id);
    const wrong = problem({ ...question, required: true }, given, session);
    if (wrong) return said.replaceChildren(say(...wrong));
    const kind = kindOf(block);
    const [code] = disguise({ of: ONE, blocks: [block] }, [kind.codeOf(item, valueOf(given), block)], [true]);
    return said.replaceChildren(say(words.storedAny, { said: inWords(question, given), stored: valueInWords(question, kind.textOf(item, code, block)) }));
  };
  return h('div', { class: 'practised', role: 'group', 'aria-labelledby': id },
    h(isField ? 'label' : 'p', { class: 'legend', id, ...isField && { for: `q-${question.id}-field` } }, say(isField ? words.anyNumber : words.anyPlace, question)),
    controls(question, { ...session, answers }, give, {}),
    p('buttons', button(words.draw, draw, 'plain')), said);
}

/** Yes or no, with a table of how often each was stored as what. */
function breakfast(here) {
  const stored = [[0, 0], [0, 0]]; // how often each answer was stored as no, as yes
  const word = (code) => say(code ? 'yes' : 'no');
  const said = h('p', { class: 'lead', role: 'status' });
  const rows = h('tbody', {});
  const table = h('table', { class: 'counts', hidden: true },
    h('thead', {}, h('tr', {}, ['given', 'asYes', 'asNo'].map((key) => h('th', { scope: 'col' }, say(words[key]))))), rows);
  const answer = (code) => {
    const result = drawn(here, code);
    stored[code][result] += 1;
    said.replaceChildren(say(words.stored, { said: word(code), stored: word(result) }));
    table.hidden = false;
    rows.replaceChildren(...[1, 0].map((one) => h('tr', {},
      h('th', { scope: 'row' }, word(one)), [1, 0].map((other) => h('td', {}, `${stored[one][other]}`)))));
  };
  return [h('div', { role: 'group', 'aria-labelledby': 'breakfast' }, h('p', { class: 'legend', id: 'breakfast' }, say(words.question)),
    p('buttons', ['yes', 'no'].map((key) => button(key, () => answer(Number(key === 'yes')), 'plain')))),
  said, table];
}
