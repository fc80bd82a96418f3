// Two languages at once: that of the interface (here) and that of the questionnaire (any, from its author).

import en from './words-en.js';
import zh from './words-zh.js';

const INTERFACE = { en, 'zh-hans': zh };
const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)\b/;

let written = []; // the languages the questionnaire is written in
let wanted = navigator.languages?.length ? [...navigator.languages] : [navigator.language];

function best(available) {
  for (const tag of wanted.map((tag) => tag.toLowerCase())) {
    const [primary] = tag.split('-');
    const match = available.find((one) => one === tag) ?? available.find((one) => one.split('-')[0] === primary);
    if (match) return match;
  }
  return available.includes('en') ? 'en' : available[0];
}

const interfaceLanguage = () => best(Object.keys(INTERFACE));
const contentLanguage = () => best(written);

/** The interface's own text, with {names} filled in. */
export function say(key, values = {}) {
  const text = INTERFACE[interfaceLanguage()][key];
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The questionnaire's text in the language at hand, as plain words. */
export const told = (text) => text[contentLanguage()] ?? Object.values(text)[0];

/** Attributes for an element that holds the questionnaire's text. */
export const spoken = () =>
  ({ lang: contentLanguage(), dir: RIGHT_TO_LEFT.test(contentLanguage()) ? 'rtl' : 'ltr' });

export const percent = (share) => new Intl.NumberFormat(interfaceLanguage(), { style: 'percent' }).format(share);

/** Everything a person can choose from: the questionnaire's languages and the interface's. */
export function choices() {
  const tags = [...new Set([...written, ...Object.keys(INTERFACE)])];
  const name = (tag) => new Intl.DisplayNames([tag], { type: 'language' }).of(tag);
  return tags.map((tag) => ({ tag, name: INTERFACE[tag]?.name ?? name(tag), chosen: tag === best(tags) }));
}

export function choose(tag) {
  wanted = [tag, ...wanted];
  dress();
}

export function writtenIn(languages) {
  written = languages.map((tag) => tag.toLowerCase());
  dress();
}

export function dress() {
  document.documentElement.lang = interfaceLanguage();
}
