// Two languages at once: the interface's and the questionnaire's.

/** The interface's words, a line each; those of a language are loaded when it is chosen. */
const WORDS = {
	en: () => import('./words/en.js'),
	'zh-hans': () => import('./words/zh-hans.js'),
};
const LANGUAGES = Object.keys(WORDS);
const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)\b/;

let written = []; // the questionnaire's languages
let wanted = [...navigator.languages];
let own; // the interface's language
let words;

function best(available) {
	const primary = tag => tag.split('-')[0];
	for (const tag of wanted.map(one => one.toLowerCase())) {
		const match =
			available.find(one => one.toLowerCase() === tag) ?? available.find(one => primary(one) === primary(tag));
		if (match) return match;
	}
	return available[0];
}

/** The interface's text of that key, or a text of its own, with {names} filled in, texts too; '' where there is none. */
export function say(key, values) {
	const text = key[own] ?? words[key] ?? '';
	return text.replace(/\{(\w+)\}/g, (_, name) => values[name][own] ?? values[name]);
}

export const told = text => text?.[best(written)] ?? '';

export const spoken = () => ({lang: best(written), dir: RIGHT_TO_LEFT.test(best(written)) ? 'rtl' : 'ltr'});

export const percent = (share, maximumFractionDigits = 0) =>
	new Intl.NumberFormat(own, {style: 'percent', maximumFractionDigits}).format(share);

/** [tag, own name, chosen] */
export function choices() {
	const tags = [...new Set([...written, ...LANGUAGES])];
	return tags.map(tag => [tag, new Intl.DisplayNames([tag], {type: 'language'}).of(tag), tag === best(tags)]);
}

/** Where the words of another language cannot be had, the interface keeps its own. */
export async function choose(tag) {
	wanted = [tag, ...wanted];
	const language = best(LANGUAGES);
	const {default: lines} = await WORDS[language]();
	words = Object.fromEntries(
		lines
			.trim()
			.split(/\n+/)
			.map(line => line.split('|')),
	);
	own = language;
	document.documentElement.lang = language;
}

/** Not awaited here: WebKit runs a module before one that it imports, where both wait for the same third. */
export const ready = choose(navigator.language);

export function writtenIn(languages) {
	written = languages;
}
