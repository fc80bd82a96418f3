// What the server shows of the draft takes the place of what stands here: only the parts that differ, and never the
// field in which somebody is typing.

import {unfold} from './cards.js';
import {later, priced, refill} from './later.js';

const sheet = document.getElementById('sheet');
/** By field: its text waits to be sent. */
export const timers = new Map();

let standing; // the parts by their names, as they stood before any was moved
let isUnsent; // whether a part holds a text that the answer does not know yet

/** Which parts stand here, by the marks that the server gave them: it sends the others alone. */
export const have = () =>
	Object.fromEntries(
		[...document.querySelectorAll('[data-hash]')].map(({dataset}) => [
			dataset.panel ? `panel.${dataset.panel}` : dataset.part,
			dataset.hash,
		]),
	);

/** The part of this field is no longer what the server sent. */
export const forget = field => field.closest('[data-hash]')?.removeAttribute('data-hash');

/** Show the answer. `all`: also in the field that has the focus, because its text was given up. */
export function show(answer, all, waits) {
	isUnsent = waits;
	const focus = remembered();
	if (sheet) {
		standing = new Map([...sheet.querySelectorAll('[data-part]')].map(part => [part.dataset.part, part]));
		const made = new DOMParser().parseFromString(`<div>${answer.sheet}</div>`, 'text/html').body.firstChild;
		arrange(
			sheet,
			[...made.children].map(part => merged(part, all)),
		);
	}
	for (const [name, {hash, html}] of Object.entries(answer.panels)) panelled(name, hash, html, all);
	for (const way of ['undo', 'redo'])
		Object.assign(document.getElementById(way), {disabled: !answer[way], title: answer[way]});
	document.querySelector('.crumbs .title').textContent = answer.title;
	if (focus && !document.contains(focus.element)) find(focus)?.focus();
	priced();
}

/** Show a panel again, unless somebody types in it; the button or tick that was used there keeps the focus. */
function panelled(name, hash, html, all) {
	const panel = document.querySelector(`[data-panel="${name}"]`);
	const focus = panel.contains(document.activeElement) ? document.activeElement : null;
	if ((isUnsent(panel) || focus?.matches('input:not([type=checkbox], [type=radio])')) && !all) return;
	panel.dataset.hash = hash;
	const fresh = new DOMParser().parseFromString(html, 'text/html').body;
	const waits = fresh.querySelector('[data-later]');
	if (waits) return later(panel, waits.dataset);
	delete panel.dataset.key; // what comes later again is asked again
	refill(panel, fresh);
}

/** What stands for the fresh part: the old one wherever it can stay. */
function merged(fresh, all) {
	const own = standing.get(fresh.dataset.part);
	if (own && 'same' in fresh.dataset) return own;
	if (fresh.matches('.page')) {
		const children = [...fresh.children];
		const list = own?.querySelector('.questions') ?? fresh.querySelector('.questions');
		const questions = [...fresh.querySelector('.questions').children].map(question => merged(question, all));
		arrange(list, questions);
		if (!own) return fresh;
		own.setAttribute('aria-label', fresh.getAttribute('aria-label'));
		arrange(
			own,
			children.map(child => (child.matches('.questions') ? list : merged(child, all))),
		);
		return own;
	}
	return own ? kept(own, fresh, all) : fresh;
}

/** The part to show: the old one where it says the same or is in use, else the fresh one. */
function kept(own, fresh, all) {
	if (own.matches('.add')) return own;
	if (own.querySelector('.q[open]')) unfold(fresh);
	const isUsed =
		isUnsent(own) ||
		(own.contains(document.activeElement) &&
			document.activeElement.matches('textarea, input:not([type=checkbox], [type=radio])'));
	if (isUsed && !all) {
		const names = own.querySelectorAll('.label'); // their number may be another
		fresh.querySelectorAll('.label').forEach((name, place) => {
			if (names[place]) names[place].textContent = name.textContent;
		});
		for (const live of fresh.querySelectorAll('[data-live]'))
			enliven(own.querySelector(`[data-live="${live.dataset.live}"]`), live);
		return own;
	}
	if (said(own) === said(fresh)) {
		if (fresh.dataset.hash) own.dataset.hash = fresh.dataset.hash;
		return own;
	}
	for (const details of own.querySelectorAll('details[open]'))
		fresh.querySelector(`details.${details.className}`)?.setAttribute('open', '');
	return fresh;
}

/** Show what follows from other fields beside the one in use; letters in it that were not sent stay. */
function enliven(own, fresh) {
	const focus = document.activeElement;
	if (!own || isUnsent(own)) return;
	if (!own.contains(focus)) own.replaceWith(fresh);
	else if (!timers.has(focus)) focus.value = fresh.querySelector('input').value;
}

/** What a part says, with what was typed and ticked. */
function said(part) {
	const copy = part.cloneNode(true);
	for (const name of ['open', 'draggable', 'class', 'data-hash']) copy.removeAttribute(name);
	copy.querySelectorAll('[data-price]').forEach(price => price.remove()); // it is asked again
	copy.querySelectorAll('details').forEach(details => details.removeAttribute('open'));
	const fields = [...part.querySelectorAll('textarea, input, select')].map(field =>
		field.matches('[type=checkbox], [type=radio]') ? field.checked : field.value,
	);
	copy.querySelectorAll('textarea, input, select, option').forEach(field => {
		field.removeAttribute('value');
		field.removeAttribute('checked');
		field.removeAttribute('selected');
		field.removeAttribute('style');
		if (field.matches('textarea')) field.textContent = '';
	});
	return copy.outerHTML + JSON.stringify(fields);
}

/** Make these the children, in this order, without moving one that stands right: a moved field loses the focus. */
function arrange(parent, wanted) {
	for (const child of [...parent.children]) if (!wanted.includes(child)) child.remove();
	wanted.forEach((child, place) => {
		if (parent.children[place] !== child) parent.insertBefore(child, parent.children[place] ?? null);
	});
}

/** Which field has the focus, so that its successor gets it. */
function remembered() {
	const element = document.activeElement;
	if (!sheet?.contains(element)) return null;
	return {element, change: element.dataset.change, question: element.closest('[data-question]')?.dataset.question};
}

function find({change, question}) {
	const same = change && [...sheet.querySelectorAll('[data-change]')].find(field => field.dataset.change === change);
	const line = question && document.querySelector(`#q-${CSS.escape(question)} summary`);
	return same?.checkVisibility() ? same : line || document.getElementById('add-lines');
}
