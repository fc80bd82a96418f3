// The page in two languages, the interface's and the questionnaire's. No markup is parsed from a string. This module
// needs no other: its texts are asked for early.

/** Folders of languages/. */
const NAMES = {
	en: 'English',
	ar: 'العربية',
	de: 'Deutsch',
	es: 'español',
	fr: 'français',
	hi: 'हिन्दी',
	id: 'Indonesia',
	pt: 'português',
	ru: 'русский',
	sw: 'Kiswahili',
	'zh-hans': '简体中文',
	'zh-hant': '繁體中文',
};
const LANGUAGES = Object.keys(NAMES); // and the questionnaire's own

const RIGHT_TO_LEFT = /-(Adlm|Arab|Armi|Hebr|Nkoo|Rohg|Syrc|Thaa)$/;

/** The language and the script of a tag: zh-TW is zh-Hant. Nothing of what a browser has, and is no tag. */
function likely(tag) {
	try {
		const {language, script} = new Intl.Locale(tag).maximize();
		return {language, written: `${language}-${script}`};
	} catch {
		return {};
	}
}

let theirs = []; // the questionnaire's languages
const preferred = new URLSearchParams(globalThis.location?.hash).get('l'); // by a page around
let wanted = [preferred, ...navigator.languages].filter(tag => likely(tag).language);
let own; // the interface's language
let locale; // how it writes numbers

function nearest(available, tags) {
	const fits = tag => (one, key) => likely(one)[key] === likely(tag)[key];
	for (const tag of tags) {
		const match =
			available.find(one => one.toLowerCase() === tag.toLowerCase()) ??
			available.find(one => fits(tag)(one, 'written')) ??
			available.find(one => fits(tag)(one, 'language'));
		if (match) return match;
	}
}

const first = nearest(LANGUAGES, wanted);

const chosen = () => nearest(theirs, wanted) ?? theirs[0];

export const texts = {}; // of each language, by their names
const parts = new Set(['usual']);
const asked = {};

export const load = path =>
	(asked[path] ??= fetch(new URL(`languages/${path}.json`, import.meta.url), {credentials: 'omit'})
		.then(answer => answer.json())
		.catch(error => {
			delete asked[path];
			throw error;
		}));

/** The texts of the language that is wanted most, and of a part that few visits need. */
export async function speak(part) {
	if (part) parts.add(part);
	const tag = nearest(LANGUAGES, [...wanted, ...theirs]) ?? 'en';
	const loaded = await Promise.all([...parts].map(one => load(`${tag}/${one}`)));
	texts[tag] = Object.assign({}, ...loaded, texts[tag]);
	own = tag;
	const alike = wanted.find(one => likely(one).language === likely(tag).language) ?? tag;
	locale = new Intl.Locale(alike, {numberingSystem: 'latn'}).toString(); // as the questionnaire's author writes them
	Object.assign(document.documentElement, {lang: own, dir: direction(own)});
}

export const canSpeak = () =>
	speak().then(
		() => true,
		() => false,
	);

export const withRare = module => Promise.all([module, speak('rare')]).then(([loaded]) => loaded);

if (first) speak().catch(() => {});

/**
 * The interface's text of that name with its {figures}; '' where there is none. A figure may be another text.
 * {count|one:person|other:people} is the word that goes with a figure.
 */
export function say(name, figures) {
	const text = texts[own]?.[name] ?? '';
	return text.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, key, forms) => {
		const figure = figures[key];
		if (forms) return formOf(forms, figure);
		if (Number.isFinite(figure)) return new Intl.NumberFormat(locale, {useGrouping: 'min2'}).format(figure);
		return figure.text ? say(figure.text) : isolate(figure);
	});
}

export const gap = () => (/^zh/.test(own) ? '' : ' ');

/** What the questionnaire's author wrote keeps its direction in a sentence of the other one. */
const isolate = words => (direction(own) === spoken().dir ? words : `\u2068${words}\u2069`);

function formOf(forms, figure) {
	const words = new Map(forms.split('|').map(form => form.split(':')));
	return words.get(new Intl.PluralRules(own).select(figure)) ?? words.get('other');
}

export const textOf = text => text?.[chosen()] ?? '';

const direction = tag => (RIGHT_TO_LEFT.test(likely(tag).written) ? 'rtl' : 'ltr');

export const spoken = () => ({lang: chosen(), dir: direction(chosen())});

export const percent = (share, maximumFractionDigits = 0) =>
	new Intl.NumberFormat(locale, {style: 'percent', maximumFractionDigits}).format(share);

export const time = moment => new Date(moment).toLocaleString(locale);

function choices() {
	const tags = theirs.length ? [...theirs] : [...LANGUAGES];
	if (first && !nearest(tags, [first])) tags.push(first);
	const current = nearest(tags, wanted) ?? tags[0];
	const nameOf = tag => NAMES[tag] ?? new Intl.DisplayNames(tag, {type: 'language'}).of(tag);
	return tags.map(tag => h('option', {value: tag, lang: tag, selected: tag === current}, nameOf(tag)));
}

export function writtenIn(languages, own = {}) {
	theirs = languages;
	const others = Object.entries(own).filter(([tag]) => !nearest(LANGUAGES, [tag]));
	for (const [tag, said] of others) {
		LANGUAGES.push(tag);
		asked[`${tag}/usual`] = asked[`${tag}/rare`] = said;
	}
}

const maker =
	space =>
	(tag, attributes, ...children) => {
		const element = document.createElementNS(`http://www.w3.org/${space}`, tag);
		for (const [name, value] of Object.entries(attributes)) {
			if (typeof value === 'function') element.addEventListener(name, value);
			else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : value);
		}
		element.append(...children.flat(Infinity).filter(child => child != null && child !== false));
		return element;
	};

/** An element; a function listens to the event of its name. */
export const h = maker('1999/xhtml');

export const svg = maker('2000/svg');

export const style = href =>
	new Promise((load, error) => document.head.append(h('link', {rel: 'stylesheet', href, load, error})));

export const p = (kind, ...children) => h('p', {class: kind}, children);

/** What the questionnaire's author wrote, if anything, in its language. */
export const written = (tag, text, attributes) => textOf(text) && h(tag, {...attributes, ...spoken()}, textOf(text));

const ICONS = {
	mask: 'M3 6c3-1 6-1 9 0 3-1 6-1 9 0 0 7-3 11-5 11s-3-2-4-2-2 2-4 2S3 13 3 6zm4 5c1-1 2-1 3 0m4 0c1-1 2-1 3 0',
	open: 'M2 12c7-9 13-9 20 0-7 9-13 9-20 0zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
	done: 'M4 12l6 6 10-12',
};

export const icon = name =>
	svg('svg', {class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true'}, svg('path', {d: ICONS[name]}));

export const button = (key, click, kind = 'main') => h('button', {type: 'button', class: kind, click}, say(key));

export function header(draw, more) {
	const change = async ({target}) => {
		const before = wanted;
		wanted = [target.value, ...wanted];
		const isHere = await canSpeak();
		if (!isHere) wanted = before;
		header(draw, more);
		draw();
		if (isHere) document.querySelector('select').focus();
		else unloaded();
	};
	const listed = choices();
	document
		.querySelector('header')
		?.replaceChildren(
			h('span', {class: 'brand'}, icon('mask'), 'Candor'),
			listed.length > 1 ? h('select', {'aria-label': say('language'), autocomplete: 'off', change}, listed) : '',
			more?.() ?? '',
		);
}

/** One step of the way; screen readers start at its heading. */
export function show(heading, ...children) {
	const title = h('h1', {tabindex: '-1'}, heading);
	document.querySelector('main').replaceWith(h('main', {}, title, children));
	document.title = `${heading.lang ? say('survey') : title.textContent} – Candor`; // history keeps it
	title.focus();
	scrollTo(0, 0);
}

/** After an upgrade no site has the module. */
export function unloaded() {
	const again = button('again', () => location.reload(), 'link');
	document.querySelector('h1').after(h('p', {class: 'caution', role: 'alert'}, say('unloaded'), gap(), again));
}

// Back is a step back: from its second step on the page has a second entry in the history. Back leads to the first, and
// the page returns. Browsers pass over entries added without a press.

const EMPTY = '/client/empty.html';
let isSecond; // where the browser is
let hasSecond;

export function standSecond() {
	if (isSecond) return;
	if (hasSecond) history.forward();
	else history.pushState({second: true}, '');
	isSecond = hasSecond = true;
}

export function onBack(step) {
	isSecond = hasSecond = history.state?.second;
	addEventListener('popstate', () => {
		isSecond = history.state?.second;
		if (!isSecond) step();
	});
}

/** To a page from which nothing leads here again. */
export function goAway() {
	const end = () => location.replace('about:blank');
	if (!hasSecond) return end();
	// The second entry becomes an empty page, the first goes.
	history[isSecond ? 'replaceState' : 'pushState'](null, '', EMPTY);
	addEventListener('popstate', () => setTimeout(end)); // Firefox has gone back only when the event is over
	setTimeout(end, 500); // ms, if it does not go back
	history.back();
}
