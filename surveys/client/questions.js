import { say, spoken, told } from './language.js';
import { h, icon, p, written } from './page.js';

export const WRITTEN = ['number', 'text', 'date'];

const ordered = (list, { id }, { orders }) => orders.get(id)?.map((place) => list[place]) ?? list;

export function optionsOf(question, session) {
  const { type, min, max, options } = question;
  if (type === 'scale') return Array.from({ length: max - min + 1 }, (_, step) => [`${min + step}`, `${min + step}`]);
  if (!options) return [['1', say('yes')], ['0', say('no')]];
  return ordered(options, question, session).map(({ value, label }) => [value, told(label)]);
}

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

/** With a point or a comma; undefined where it is no number, or may be two: 1,000 is one here, a thousand there. */
export function numberIn(text) {
  const plain = text.trim().normalize('NFKC');
  const isOne = /^(?!\D?[1-9]\d{0,2}[.,]\d{3}$)[-+]?(\d+[.,]?\d*|[.,]\d+)$/.test(plain);
  const number = Number(plain.replace(',', '.'));
  return isOne && Math.abs(number) <= 1e15 ? number : undefined;
}

/** What `min` and `max` bound; undefined where it is none of its type. The server takes whatever passes here. */
const MEASURES = {
  number: numberIn,
  date: (text) => (new Date(text).toJSON()?.slice(0, 10) === text && text > '0001' ? text : undefined),
  text: ({ length }) => length,
};

/** What is wrong with an answer, as arguments for `say`. */
export function problemOf({ type, min, max, required, sensitive }, answer) {
  if (type === 'several') return required && !sensitive && !answer?.size ? ['missing'] : null;
  if (!answer) return required || sensitive ? ['missing'] : null;
  if (!WRITTEN.includes(type)) return null;
  const given = MEASURES[type](answer);
  if (given === undefined) return [type];
  return given < (min ?? given) || given > (max ?? (type === 'text' ? 500 : given)) ? ['outside', { min: min ?? '…', max: max ?? '…' }] : null;
}

export function inWords(question, answer, session) {
  const { type } = question;
  if (type === 'several') return itemsOf(question, session).filter(([id]) => answer?.has(id)).map(([, label]) => label).join(', ') || '–';
  if (!answer) return say('nothing');
  if (WRITTEN.includes(type)) return type === 'number' ? numberIn(answer) ?? answer : answer;
  return optionsOf(question, session).find(([value]) => value === answer)[1];
}

export function mark(disguised) {
  const kind = disguised ? 'mask' : 'open';
  return p(`mark ${kind}`, icon(kind), say(kind));
}

/** The question as an element; `element.complain(words)` shows what is wrong. */
export function questionElement(question, session, changed) {
  const { type, text, help, required, sensitive, min, max, ends } = question;
  const id = `q-${question.id}`;
  const give = (answer) => {
    session.answers.set(question.id, answer);
    element.complain();
    changed();
  };
  const heading = [written('span', text), !sensitive && !required && h('span', { class: 'quiet' }, ` (${say('optional')})`)];
  const note = h('div', { id: `${id}-note` },
    mark(sensitive && !session.direct),
    written('p', help, { class: 'help' }),
    ends?.low && h('p', { ...spoken(), class: 'help' }, h('bdi', {}, `${min} = ${told(ends.low)}`), ' – ', h('bdi', {}, `${max} = ${told(ends.high)}`)),
    type === 'several' && p('help', say('several')));
  const error = h('p', { class: 'error', id: `${id}-error` });
  const described = { 'aria-describedby': `${id}-note ${id}-error` };
  const element = WRITTEN.includes(type)
    ? h('div', { class: 'question', id }, h('label', { class: 'legend', for: `${id}-field` }, heading), note,
      field(question, session, give, described), error)
    : h('fieldset', { class: 'question', id, role: type !== 'several' && 'radiogroup', ...described },
      h('legend', { class: 'legend' }, heading), note, h('div', { class: `options ${type}` }, boxes(question, session, give)), error);
  element.complain = (words) => {
    error.replaceChildren(words ? say(...words) : '');
    element.classList.toggle('wrong', Boolean(words));
  };
  return element;
}

function boxes(question, session, give) {
  const { type, options, id } = question;
  const several = type === 'several';
  const given = session.answers.get(id);
  const ticked = new Set(several ? given : [given]);
  const change = ({ target }) => {
    ticked[target.checked ? 'add' : 'delete'](target.value);
    give(several ? ticked : target.value);
  };
  return (several ? itemsOf : optionsOf)(question, session).map(([value, label]) => h('label', { class: 'option', ...(options || several) && spoken() },
    h('input', { type: several ? 'checkbox' : 'radio', name: id, value, checked: ticked.has(value), change }),
    h('span', {}, label)));
}

/** Spelling checkers may send what is written to their maker: off. */
function field({ id, type, min, max }, session, give, described) {
  const long = type === 'text' && max > 100;
  const limits = { text: { maxlength: max ?? 500, dir: 'auto' }, number: { inputmode: 'decimal' }, date: { type, min, max: max ?? '9999-12-31' } };
  const input = h(long ? 'textarea' : 'input', {
    ...limits[type], ...described, class: 'field', id: `q-${id}-field`, rows: long && '4', input: ({ target }) => give(target.value),
    spellcheck: 'false',
  });
  input.value = session.answers.get(id) ?? '';
  return input;
}
