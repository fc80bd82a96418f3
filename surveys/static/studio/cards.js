// Questions are lines, one of which is open: its fields are in the page while it is, else in its template.

import {priced} from './later.js';

const sheet = document.getElementById('sheet');
const lines = () => [...sheet.querySelectorAll('.q > summary')];

/** The fields of an open question come into the page. */
export function unfold(question) {
	const [{content}, edit] = [question.querySelector('template'), question.querySelector('.edit')];
	edit.append(content);
}

function fold(question) {
	question.querySelector('template').content.append(...question.querySelector('.edit').childNodes);
}

/** The question whose line follows that of this one, or comes before the last: its element's name. */
export function lineAfter(question) {
	const all = [...sheet.querySelectorAll('[data-question]')];
	const place = all.findIndex(one => one.dataset.question === question);
	return (all[place + 1] ?? all[place - 1])?.id;
}

/** Where work goes on: the question that the address names, open; in an empty questionnaire, the first to write. */
export function openAt() {
	if (!sheet.querySelector('[data-question]')) document.getElementById('add-lines')?.focus();
	const question = document.getElementById(decodeURIComponent(location.hash.slice(1)));
	const card = question?.querySelector('.q');
	if (!card) return;
	card.open = true;
	unfold(question);
	question.scrollIntoView({block: 'start'});
	card.querySelector('summary').focus({preventScroll: true});
}

const isTyped = element => element.matches('textarea, select, input:not([type=checkbox], [type=radio])');

/** The focus goes one on or back among these. */
function step(among, from, key) {
	const by = {ArrowUp: -1, ArrowDown: 1}[key];
	const next = by && among[among.indexOf(from) + by];
	next?.focus();
	return Boolean(by);
}

function pressed(event) {
	const {target, key} = event;
	if (event.ctrlKey || event.metaKey || event.altKey) return;
	const menu = target.closest('.types');
	const question = target.closest('.question');
	if (menu?.open) {
		if (step([menu.firstElementChild, ...menu.querySelectorAll('button')], target, key)) event.preventDefault();
	} else if (target.matches('.q > summary') && step(lines(), target, key)) event.preventDefault();
	else if (key === 'Escape' && question?.querySelector('.q[open]')) {
		question.querySelector('summary').focus();
		question.querySelector('.q').open = false;
	} else if (target.matches('.q > summary') && /^n$/i.test(key)) {
		event.preventDefault();
		target.parentElement.open = true;
		unfold(question);
		question.querySelector('[data-after]')?.click();
	} else if (key === '?' && !isTyped(target)) document.getElementById('keys').showModal();
}

export function carding() {
	sheet.addEventListener(
		'toggle',
		({target}) => {
			if (!target.matches('.q')) return;
			(target.open ? unfold : fold)(target.parentElement);
			priced();
		},
		true,
	);
	// The line that is pressed stays under the finger when a longer question above it closes.
	sheet.addEventListener('click', ({target}) => {
		const line = target.closest('.q > summary');
		const top = line?.getBoundingClientRect().top;
		if (line) requestAnimationFrame(() => scrollBy(0, line.getBoundingClientRect().top - top));
	});
	for (const card of sheet.querySelectorAll('.q[open]')) unfold(card.parentElement); // opened before this was loaded
	document.addEventListener('keydown', pressed);
	document.getElementById('keys-open').addEventListener('click', () => document.getElementById('keys').showModal());
	addEventListener('hashchange', openAt);
}
