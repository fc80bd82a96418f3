// The types of question, a line each: the module holds all that is known of the type in the browser. It is loaded for a
// questionnaire that asks such a question, before anything else is asked of it:
//
// controls(question, session, give, described)   elements to answer with; `give` takes the answer, undefined: none
// isField, role                                  one field under its label; or the role of the group of controls
// note(question)                                 what is said below the question, beside its help
// problem(question, answer, session)             what is wrong with an answer, as arguments for `say`; null: nothing
// inWords(question, answer, session)             for the review and the receipt
// toSend(answer, question), sent(value)          the open answer as JSON, and back
// tells(answer)                                  what it means to a condition of a later question
//
// and where it can be disguised, for each of its items in the design:
// parts(question)                                the items with their ids and labels; [null]: the question itself
// values(question)                               the options of each
// valueOf(answer, part), valueInWords(question, value)

import { insist } from './chances.js';

const TYPES = {
  __proto__: null,
  yesno: () => import('./questions/yesno.js'),
  choice: () => import('./questions/choice.js'),
  several: () => import('./questions/several.js'),
  scale: () => import('./questions/scale.js'),
  matrix: () => import('./questions/matrix.js'),
  number: () => import('./questions/number.js'),
  text: () => import('./questions/text.js'),
  date: () => import('./questions/date.js'),
};
const USUAL = { toSend: (answer) => answer, sent: String, tells: (answer) => [answer], note: () => null };
const loaded = {};

export const loadTypes = (questions) => Promise.all(questions.map(async ({ type }) => {
  if (TYPES[type]) loaded[type] ??= { ...USUAL, ...await TYPES[type]() };
}));

export function typeOf({ type }) {
  insist(TYPES[type], 'a question is of no type that is known here');
  return loaded[type];
}
