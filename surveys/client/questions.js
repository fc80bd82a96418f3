// One question on the page: drawn with native controls, checked, and put into words for the review.

import { say, spoken, told } from './language.js';
import { h, icon } from './page.js';

const LONG_TEXT = 100;

/** [value, label] of each option, in the order this device drew for it. */
function optionsOf(question, { orders }) {
  if (question.type === 'scale') {
    return Array.from({ length: question.max - question.min + 1 }, (_, step) => String(question.min + step)).map((v) => [v, v]);
  }
  if (!question.options) return [['1', say('yes')], ['0', say('no')]];
  const options = question.options.map((option) => [option.value, told(option.label)]);
  return orders.has(question.id) ? orders.get(question.id).map((place) => options[place]) : options;
}

/** The items of a question with several answers that this device asks. */
function itemsOf(question, { orders, isAsked }) {
  const items = orders.has(question.id) ? orders.get(question.id).map((place) => question.items[place]) : question.items;
  return items.filter((item) => isAsked(item.id));
}

export const isShown = (question, session) => {
  const { answers, byId, isAsked } = session;
  if (question.sensitive) return question.type === 'several' ? itemsOf(question, session).length > 0 : isAsked(question.id);
  if (!question.when) return true;
  const answer = answers.get(question.when.question);
  const given = answer instanceof Set ? [...answer] : [answer];
  return isShown(byId.get(question.when.question), session) && given.some((value) => question.when.is.includes(value));
};

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

/** An answer in words, for the review. */
export function inWords(question, answer, session) {
  if (question.type === 'several') {
    const ticked = itemsOf(question, session).filter((item) => answer?.has(item.id)).map((item) => told(item.label));
    return ticked.join(', ') || '–';
  }
  if (!answer) return say('nothing');
  return ['number', 'text', 'date'].includes(question.type) ? answer : optionsOf(question, session).find(([value]) => value === answer)[1];
}

const mark = (question, session) => (question.sensitive && !session.direct
  ? h('span', { class: 'mark disguised' }, icon('mask'), say('markDisguised'))
  : h('span', { class: 'mark' }, icon('open'), say('markOpen')));

/** The question as an element. `changed()` is called after each answer; `element.complain()` shows what is wrong. */
export function questionElement(question, session, changed) {
  const { answers } = session;
  const id = `q-${question.id}`;
  const give = (answer) => {
    answers.set(question.id, answer);
    error.replaceChildren();
    element.classList.remove('wrong');
    changed();
  };
  const heading = [h('span', spoken(), told(question.text)),
    !question.sensitive && !question.required && h('span', { class: 'quiet' }, ` (${say('optional')})`)];
  const notes = [question.help && h('p', { ...spoken(), class: 'help' }, told(question.help)),
    scaleNote(question), question.type === 'several' && h('p', { class: 'help' }, say('several'))];
  const note = h('div', { id: `${id}-note` }, mark(question, session), notes);
  const error = h('p', { class: 'error', id: `${id}-error` });
  const described = `${id}-note ${id}-error`;
  const control = { number: field, text: field, date: field, several: ticks }[question.type] ?? radios;
  const grouped = control !== field;
  const element = grouped
    ? h('fieldset', { class: 'question', id, 'aria-describedby': described, role: control === radios && 'radiogroup' }, h('legend', {}, heading))
    : h('div', { class: 'question', id }, h('label', { class: 'legend', for: `${id}-field` }, heading));
  element.append(note, control(question, session, give, `${id}-field`, described), error);
  element.complain = (words) => {
    error.replaceChildren(say(...words));
    element.classList.add('wrong');
  };
  return element;
}

function scaleNote({ type, min, max, ends }) {
  if (type !== 'scale' || !ends?.low || !ends?.high) return null;
  return h('p', { class: 'help' }, say('scaleOf', { low: min, from: told(ends.low), high: max, to: told(ends.high) }));
}

function radios(question, session, give, id) {
  return h('div', { class: `options ${question.type}` }, optionsOf(question, session).map(([value, label]) =>
    h('label', { class: 'option' },
      h('input', { type: 'radio', name: id, value, autocomplete: 'off', checked: session.answers.get(question.id) === value,
        change: () => give(value) }),
      h('span', question.options ? spoken() : {}, label))));
}

function ticks(question, session, give) {
  const ticked = new Set(session.answers.get(question.id));
  return h('div', { class: 'options' }, itemsOf(question, session).map((item) =>
    h('label', { class: 'option' },
      h('input', { type: 'checkbox', autocomplete: 'off', checked: ticked.has(item.id), change: (event) => {
        if (event.target.checked) ticked.add(item.id); else ticked.delete(item.id);
        give(ticked);
      } }),
      h('span', spoken(), told(item.label)))));
}

/** Spelling checkers may send what is written to their maker: off. */
function field(question, session, give, id, described) {
  const text = question.type === 'text';
  const long = text && question.max > LONG_TEXT;
  const input = h(long ? 'textarea' : 'input', {
    id,
    type: long ? null : question.type === 'date' ? 'date' : 'text',
    inputmode: question.type === 'number' && 'decimal',
    maxlength: text ? question.max ?? 500 : question.type === 'number' && 20,
    min: question.type === 'date' && question.min,
    max: question.type === 'date' && question.max,
    rows: long && '4',
    dir: text && 'auto',
    autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off',
    'aria-describedby': described,
    input: (event) => give(event.target.value),
  });
  input.value = session.answers.get(question.id) ?? '';
  return input;
}
