// One question on the page: drawn with native controls, checked, and put into words.

import { say, spoken, told } from './language.js';
import { h, icon, p } from './page.js';

const LONG_TEXT = 100;
const WRITTEN = ['number', 'text', 'date'];

/** Options or items in the order this device drew for them. */
const ordered = (list, { id }, { orders }) => orders.get(id)?.map((place) => list[place]) ?? list;

/** [value, label] of each option. */
function optionsOf(question, session) {
  const { type, min, max, options } = question;
  if (type === 'scale') return Array.from({ length: max - min + 1 }, (_, step) => [`${min + step}`, `${min + step}`]);
  if (!options) return [['1', say('yes')], ['0', say('no')]];
  return ordered(options, question, session).map(({ value, label }) => [value, told(label)]);
}

/** [name, label] of each item that this device asks. */
const itemsOf = (question, session) => ordered(question.items, question, session)
  .filter(({ id }) => session.isAsked(id)).map(({ id, label }) => [id, told(label)]);

export function isShown(question, session) {
  const { answers, byId, isAsked } = session;
  if (question.type === 'several' && !itemsOf(question, session).length) return false;
  if (!question.when) return isAsked(question.id);
  const { question: other, is } = question.when;
  const given = [answers.get(other)].flatMap((answer) => (answer instanceof Set ? [...answer] : answer));
  return isShown(byId.get(other), session) && given.some((value) => is.includes(value));
}

/** The number a person wrote, with a point or a comma; NaN if it is none. */
export const numberIn = (text) => (/^\s*[-+]?(\d+([.,]\d*)?|[.,]\d+)\s*$/.test(text) ? Number(text.replace(',', '.')) : NaN);

/** What is wrong with an answer, as arguments for `say`; null if nothing is. */
export function problemOf({ type, min, max, required, sensitive }, answer) {
  if (type === 'several') return required && !sensitive && !answer?.size ? ['missing'] : null;
  if (!answer) return required || sensitive ? ['missing'] : null;
  const given = type === 'number' ? numberIn(answer) : answer;
  if (Number.isNaN(given)) return ['number'];
  const outside = ['number', 'date'].includes(type) && (given < (min ?? given) || given > (max ?? given));
  return outside ? ['outside', { min: min ?? '…', max: max ?? '…' }] : null;
}

/** An answer in words. */
export function inWords(question, answer, session) {
  const { type } = question;
  if (type === 'several') return itemsOf(question, session).filter(([id]) => answer?.has(id)).map(([, label]) => label).join(', ') || '–';
  if (!answer || WRITTEN.includes(type)) return answer || say('nothing');
  return optionsOf(question, session).find(([value]) => value === answer)[1];
}

/** The question as an element. `changed()` is called after each answer; `element.complain(words)` shows what is wrong. */
export function questionElement(question, session, changed) {
  const { type, text, help, required, sensitive, min, max, ends } = question;
  const id = `q-${question.id}`;
  const give = (answer) => {
    session.answers.set(question.id, answer);
    element.complain();
    changed();
  };
  const heading = [h('span', spoken(), told(text)), !sensitive && !required && h('span', { class: 'quiet' }, ` (${say('optional')})`)];
  const disguised = sensitive && !session.direct;
  const note = h('div', { id: `${id}-note` },
    disguised ? p('mark disguised', icon('mask'), say('markDisguised')) : p('mark', icon('open'), say('markOpen')),
    help && h('p', { ...spoken(), class: 'help' }, told(help)),
    ends?.low && p('help', say('scaleOf', { low: min, from: told(ends.low), high: max, to: told(ends.high) })),
    type === 'several' && p('help', say('several')));
  const error = h('p', { class: 'error', id: `${id}-error` });
  const described = { 'aria-describedby': `${id}-note ${id}-error` };
  const element = WRITTEN.includes(type)
    ? h('div', { class: 'question', id }, h('label', { class: 'legend', for: `${id}-field` }, heading), note,
      field(question, session, give, described), error)
    : h('fieldset', { class: 'question', id, role: type !== 'several' && 'radiogroup', ...described },
      h('legend', {}, heading), note, h('div', { class: `options ${type}` }, boxes(question, session, give)), error);
  element.complain = (words) => {
    error.replaceChildren(words ? say(...words) : '');
    element.classList.toggle('wrong', Boolean(words));
  };
  return element;
}

function boxes(question, session, give) {
  const { type, options, id } = question;
  const box = ([value, label], attributes) => h('label', { class: 'option' },
    h('input', { value, autocomplete: 'off', ...attributes }), h('span', options || type === 'several' ? spoken() : {}, label));
  const given = session.answers.get(id);
  if (type !== 'several') {
    return optionsOf(question, session).map((option) =>
      box(option, { type: 'radio', name: id, checked: given === option[0], change: () => give(option[0]) }));
  }
  const ticked = new Set(given);
  return itemsOf(question, session).map((item) => box(item, {
    type: 'checkbox',
    checked: ticked.has(item[0]),
    change: ({ target }) => {
      ticked[target.checked ? 'add' : 'delete'](item[0]);
      give(ticked);
    },
  }));
}

/** Something to write. Spelling checkers may send what is written to their maker: off. */
function field({ id, type, min, max }, session, give, described) {
  const long = type === 'text' && max > LONG_TEXT;
  const limits = { text: { maxlength: max ?? 500, dir: 'auto' }, number: { maxlength: 20, inputmode: 'decimal' }, date: { type, min, max } };
  const input = h(long ? 'textarea' : 'input', {
    ...limits[type], ...described, id: `q-${id}-field`, rows: long && '4', input: ({ target }) => give(target.value),
    autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off',
  });
  input.value = session.answers.get(id) ?? '';
  return input;
}
