// Two languages at once: that of the interface (words.js) and that of the questionnaire (any, from its author).

import { LANGUAGES, WORDS } from './words.js';

const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)\b/;

let written = []; // the languages the questionnaire is written in
let wanted = [...navigator.languages];

/** The available language that is wanted most. */
function best(available) {
  const primary = (tag) => tag.split('-')[0];
  for (const tag of wanted.map((one) => one.toLowerCase())) {
    const match = available.find((one) => one.toLowerCase() === tag) ?? available.find((one) => primary(one) === primary(tag));
    if (match) return match;
  }
  return available[0];
}

/** The interface's own text, with {names} filled in; not every heading has a further text. */
export const say = (key, values) =>
  (WORDS[key]?.[LANGUAGES.indexOf(best(LANGUAGES))] ?? '').replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** The questionnaire's text in the language at hand, as plain words. */
export const told = (text) => text[best(written)] ?? '';

/** Attributes of an element that holds it. */
export const spoken = () => ({ lang: best(written), dir: RIGHT_TO_LEFT.test(best(written)) ? 'rtl' : 'ltr' });

export const percent = (share) => new Intl.NumberFormat(best(LANGUAGES), { style: 'percent' }).format(share);

/** The questionnaire's languages and the interface's. */
export function choices() {
  const tags = [...new Set([...written, ...LANGUAGES])];
  return tags.map((tag) => ({
    tag,
    name: new Intl.DisplayNames([tag], { type: 'language' }).of(tag),
    chosen: tag === best(tags),
  }));
}

export function choose(tag) {
  wanted = [tag, ...wanted];
  document.documentElement.lang = best(LANGUAGES);
}
choose(navigator.language);

export function writtenIn(languages) {
  written = languages;
}
