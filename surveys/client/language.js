// Two languages at once: the interface's and the questionnaire's.

import { LANGUAGES, WORDS } from './words.js';

const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)\b/;

let written = []; // the questionnaire's languages
let wanted = [...navigator.languages];

function best(available) {
  const primary = (tag) => tag.split('-')[0];
  for (const tag of wanted.map((one) => one.toLowerCase())) {
    const match = available.find((one) => one.toLowerCase() === tag) ?? available.find((one) => primary(one) === primary(tag));
    if (match) return match;
  }
  return available[0];
}

/** The interface's text of that key, or a text of its own, with {names} filled in, texts too; '' where there is none. */
export function say(key, values) {
  const tag = best(LANGUAGES);
  const text = key[tag] ?? WORDS[key]?.[LANGUAGES.indexOf(tag)] ?? '';
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name][tag] ?? values[name]);
}

export const told = (text) => text?.[best(written)] ?? '';

export const spoken = () => ({ lang: best(written), dir: RIGHT_TO_LEFT.test(best(written)) ? 'rtl' : 'ltr' });

export const percent = (share, maximumFractionDigits = 0) =>
  new Intl.NumberFormat(best(LANGUAGES), { style: 'percent', maximumFractionDigits }).format(share);

/** [tag, own name, chosen] */
export function choices() {
  const tags = [...new Set([...written, ...LANGUAGES])];
  return tags.map((tag) => [tag, new Intl.DisplayNames([tag], { type: 'language' }).of(tag), tag === best(tags)]);
}

export function choose(tag) {
  wanted = [tag, ...wanted];
  document.documentElement.lang = best(LANGUAGES);
}
choose(navigator.language);

export function writtenIn(languages) {
  written = languages;
}
