// The page in two languages at once, the interface's and the questionnaire's. It is made of elements and text nodes: no
// markup is parsed from a string.

import {LANGUAGES, WORDS} from './words.js';

const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|ps|sd|syr|ug|ur|yi)\b/;

let theirs = []; // the questionnaire's languages
let wanted = [...navigator.languages];
let own; // the interface's language

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
	const text = key[own] ?? WORDS[key]?.[own] ?? '';
	return text.replace(/\{(\w+)\}/g, (_, name) => values[name][own] ?? values[name]);
}

export const textOf = text => text?.[best(theirs)] ?? '';

export const spoken = () => ({lang: best(theirs), dir: RIGHT_TO_LEFT.test(best(theirs)) ? 'rtl' : 'ltr'});

export const percent = (share, maximumFractionDigits = 0) =>
	new Intl.NumberFormat(own, {style: 'percent', maximumFractionDigits}).format(share);

/** [tag, own name, chosen] */
function choices() {
	const tags = [...new Set([...theirs, ...LANGUAGES])];
	return tags.map(tag => [tag, new Intl.DisplayNames([tag], {type: 'language'}).of(tag), tag === best(tags)]);
}

function choose(tag) {
	wanted = [tag, ...wanted];
	own = best(LANGUAGES);
	document.documentElement.lang = own;
}

choose(navigator.language);

export function writtenIn(languages) {
	theirs = languages;
}

const maker =
	space =>
	(tag, attributes, ...children) => {
		const element = document.createElementNS(`http://www.w3.org/${space}`, tag);
		for (const [name, value] of Object.entries(attributes)) {
			if (typeof value === 'function') element.addEventListener(name, value);
			else if (value === true) element.setAttribute(name, '');
			else if (value !== false && value != null) element.setAttribute(name, value);
		}
		element.append(...children.flat(Infinity).filter(child => child != null && child !== false));
		return element;
	};

/** An element; a function listens to the event of its name. */
export const h = maker('1999/xhtml');

export const svg = maker('2000/svg');

export const p = (kind, ...children) => h('p', {class: kind}, children);

/** What the questionnaire's author wrote, if anything, in its language. */
export const written = (tag, text, attributes) => textOf(text) && h(tag, {...attributes, ...spoken()}, textOf(text));

export function form(next, content, ...others) {
	const submit = event => {
		event.preventDefault();
		next();
	};
	const buttons = p('buttons', h('button', {class: 'main'}, say('next')), others);
	return h('form', {autocomplete: 'off', novalidate: true, submit}, content, buttons);
}

const ICONS = {
	mask: 'M3 6c3-1 6-1 9 0 3-1 6-1 9 0 0 7-3 11-5 11s-3-2-4-2-2 2-4 2S3 13 3 6zm4 5c1-1 2-1 3 0m4 0c1-1 2-1 3 0',
	open: 'M2 12c7-9 13-9 20 0-7 9-13 9-20 0zm10-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
	done: 'M4 12l6 6 10-12',
};

export const icon = name =>
	svg('svg', {class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true'}, svg('path', {d: ICONS[name]}));

export function mark(disguised) {
	const kind = disguised ? 'mask' : 'open';
	return p(`mark ${kind}`, icon(kind), say(kind));
}

export const button = (key, click, kind = 'main') => h('button', {type: 'button', class: kind, click}, say(key));

export function header(draw, more) {
	const change = ({target}) => {
		choose(target.value);
		header(draw, more);
		draw();
		document.querySelector('select').focus();
	};
	document.querySelector('header').replaceChildren(
		h('span', {class: 'brand'}, icon('mask'), 'Candor'),
		h(
			'select',
			{'aria-label': say('language'), autocomplete: 'off', change},
			choices().map(([tag, name, selected]) => h('option', {value: tag, lang: tag, selected}, name)),
		),
		more?.() ?? '',
	);
}

/** One step of the way; a screen reader starts at the heading. */
export function show(heading, ...children) {
	const title = h('h1', {tabindex: '-1'}, heading);
	document.querySelector('main').replaceWith(h('main', {}, title, children));
	document.title = heading.lang ? 'Candor' : `${title.textContent} – Candor`; // history keeps it: nothing of the survey
	title.focus();
	scrollTo(0, 0);
}

/** A module could not be had: after an upgrade no site has those of this page any more. */
export function unloaded() {
	const again = button('again', () => location.reload(), 'link');
	document.querySelector('h1').after(h('p', {class: 'caution', role: 'alert'}, say('unloaded'), ' ', again));
}

// Back is a step back: from its second step on the page has a second entry in the history. Back leads to the first,
// and while there is a step back the page returns. Browsers pass over entries added without a press.

const EMPTY = '/client/empty.html';
let isSecond; // where the browser is
let hasSecond;

export function standSecond() {
	if (isSecond) return;
	if (hasSecond) history.forward();
	else history.pushState({second: true}, '');
	isSecond = hasSecond = true;
}

/** Whenever Back was pressed: `step`. */
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

// What types of question have in common.

/** Options or parts as this device has shuffled them, if it has. */
export const ordered = (list, {id}, {orders}) => orders.get(id)?.map(place => list[place]) ?? list;

/** The parts that this device asks, in its order. */
export const partsAsked = (question, session) =>
	ordered(question.items, question, session).filter(({id}) => session.isAsked(id));

/** `isWritten`: the words are those of the questionnaire's author. */
export const option = (attributes, words, isWritten) =>
	h('label', {class: 'option', ...(isWritten && spoken())}, h('input', attributes), h('span', {}, words));

export const missing = ({required, sensitive}, answer) => (!answer && (required || sensitive) ? ['missing'] : null);

export const labelled = ({options}) => options.map(({value, label}) => [value, textOf(label)]);

export const steps = ({min, max}) =>
	Array.from({length: max - min + 1}, (_, step) => [`${min + step}`, `${min + step}`]);

/** What the first and the last step mean. */
export const ends = ({min, max, ends: named}) =>
	named?.low &&
	h(
		'p',
		{...spoken(), class: 'help'},
		h('bdi', {}, `${min} = ${textOf(named.low)}`),
		' – ',
		h('bdi', {}, `${max} = ${textOf(named.high)}`),
	);
