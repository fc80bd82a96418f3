// The types of question, a line each: the module that knows all of it (questions/README.md).

import { insist } from './chances.js';

/** What is written into a field: the two modules are asked for at once. */
const written = (load) => () => Promise.all([load(), import('./written.js')]).then(([own]) => own);

const TYPES = {
  __proto__: null,
  yesno: () => import('./questions/yesno.js'),
  choice: () => import('./questions/choice.js'),
  several: () => import('./questions/several.js'),
  scale: () => import('./questions/scale.js'),
  matrix: () => import('./questions/matrix.js'),
  number: written(() => import('./questions/number.js')),
  place: () => import('./questions/place.js'),
  text: written(() => import('./questions/text.js')),
  date: written(() => import('./questions/date.js')),
};
const USUAL = { parts: () => [null], toSend: (answer) => answer, sent: String, tells: (answer) => [answer], note: () => null };
const loaded = {};

export const loadTypes = (questions) => Promise.all([...new Set(questions.map(({ type }) => type))].map(async (type) => {
  if (!TYPES[type]) return;
  loaded[type] ??= { ...USUAL, ...await TYPES[type]() };
  await loaded[type].load?.();
}));

export function typeOf({ type }) {
  insist(TYPES[type], 'a question is of no type that is known here');
  return loaded[type];
}
