// The page is made of elements and text nodes: no markup is parsed from a string.

import {choices, choose, say, spoken, told} from './language.js';

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
export const written = (tag, text, attributes) => told(text) && h(tag, {...attributes, ...spoken()}, told(text));

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

export const button = (key, click, kind = 'main') => h('button', {type: 'button', class: kind, click}, say(key));

export function header(draw, more) {
	const change = async ({target}) => {
		const failed = await choose(target.value).catch(() => true);
		header(draw, more);
		draw();
		if (failed) unloaded();
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
