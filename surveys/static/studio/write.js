// The pages of a draft: every field that holds a change sends it, texts a moment after the last letter.

import {adding} from './adding.js';
import {carding, lineAfter, openAt} from './cards.js';
import {dragging} from './dragging.js';
import {latecomers} from './later.js';
import {forget, show, timers} from './patching.js';
import {previewing} from './preview.js';
import {isRedrawn, isSame, isSaved, isUnsent, open, seen, send, state} from './saving.js';
import {zoning} from './zones.js';

const MOMENT = 600; // ms after the last letter

const studio = document.getElementById('studio');
const notice = document.getElementById('notice');
const wrong = Object.assign(document.createElement('span'), {id: 'wrong', className: 'wrong'});
wrong.setAttribute('role', 'alert');
const since = new WeakMap(); // by field: the last change that its text was shown with
let stood; // the field that has the focus, or had it before the preview or another window took it
let untell = () => {};

const isTyped = field => field.matches('textarea, input:not([type=checkbox], [type=radio], [type=file])');

export function make(change, then, field, base = since.get(field) ?? seen()) {
	tell();
	const asked = [...open].find(other => isSame(other.change, change));
	if (asked) return asked.write(change);
	const way = document.getElementById(change.do); // the button of an undo or a redo
	send(
		change,
		field,
		base,
		(answer, sent) => {
			if (answer.conflict && way) return tell(`${answer.conflict} ${answer.parts.join(', ')}`);
			if (answer.conflict) conflict(answer, sent, field);
			else if (field) since.set(field, answer.number);
			const taken = way && `${way.title} · ${way.dataset.done}`; // also of what was still on its way when it was pressed
			show(answer, isRedrawn(sent), isUnsent);
			if (taken) tell(taken);
			for (const {write, change} of open) write(change);
			fitAll();
			if (answer.conflict) return;
			document.dispatchEvent(new CustomEvent('studio:changed'));
			then?.(answer);
		},
		sentence => {
			if (!field?.isConnected) return tell(sentence);
			if (field.matches('[type=checkbox]')) field.checked = !field.checked;
			forget(field);
			tellAt(field, sentence);
		},
	);
}

/** A sentence above the questionnaire, with what can be done about it; without one the place is empty. */
function tell(sentence = '', buttons = []) {
	untell();
	notice.replaceChildren(
		sentence,
		...buttons.map(([text, click]) => {
			const button = document.createElement('button');
			button.type = 'button';
			button.textContent = text;
			button.addEventListener('click', click);
			return button;
		}),
	);
	notice.hidden = !sentence;
}

/** A sentence at the field that was refused, until the next change. Who types in another field stays there. */
function tellAt(field, sentence) {
	const described = field.getAttribute('aria-describedby') ?? '';
	wrong.textContent = sentence;
	(field.closest('label') ?? field).after(wrong);
	field.setAttribute('aria-describedby', `${wrong.id} ${described}`);
	field.setAttribute('aria-invalid', true);
	untell = () => {
		wrong.remove();
		field.setAttribute('aria-describedby', described);
		field.removeAttribute('aria-invalid');
	};
	if (!timers.size) field.focus();
}

/** Somebody else was first: both texts stand above the questionnaire until the reader decides which one stays. */
function conflict(answer, change, field) {
	const box = document.getElementById('both').content.firstElementChild.cloneNode(true);
	const put = (name, text) => {
		box.querySelector(`[data-${name}]`).textContent = text;
	};
	const isText = field && isTyped(field);
	const asked = {
		change,
		write: newer => {
			asked.change = newer;
			if (!isText) return;
			const text = newer[field.dataset.key ?? 'value'];
			put('mine', text);
			const now = fieldOf(document, field);
			if (now) now.value = text; // what was drawn again holds the other text
		},
	};
	const close = () => {
		open.delete(asked);
		box.remove();
	};
	put('sentence', `${answer.conflict} ${answer.parts.join(', ')}`);
	const shown = [answer.sheet, ...Object.values(answer.panels).map(({html}) => html)].join('');
	if (isText) put('theirs', fieldOf(new DOMParser().parseFromString(shown, 'text/html'), field)?.value ?? '');
	else box.querySelector('dl').remove();
	box.querySelector('[data-keep]').addEventListener('click', () => {
		close();
		make(asked.change, null, field, answer.number);
	});
	box.querySelector('[data-take]').addEventListener('click', () => {
		close();
		make({do: 'look'});
	});
	open.add(asked);
	notice.after(box);
}

/** The field of the same change in a document, also in a card that is not open yet. */
const fieldOf = (within, {dataset}) =>
	[within, ...[...within.querySelectorAll('template')].map(({content}) => content)]
		.flatMap(part => [...part.querySelectorAll('[data-change]')])
		.find(field => field.dataset.change === dataset.change);

function changeOf(field) {
	const change = JSON.parse(field.dataset.change);
	if (field.matches('[type=checkbox]')) return {...change, value: field.checked};
	if (field.matches('button')) return change;
	return {...change, [field.dataset.key ?? 'value']: field.value};
}

function sendNow(field) {
	clearTimeout(timers.get(field));
	if (timers.delete(field)) make(changeOf(field), null, field);
}

document.addEventListener('input', ({target}) => {
	if (!target.dataset.change || !isTyped(target)) return;
	fit(target);
	clearTimeout(timers.get(target));
	timers.set(target, target.dataset.late === undefined ? setTimeout(() => sendNow(target), MOMENT) : 0);
	state(studio.dataset.saving);
});
document.addEventListener('focusin', ({target}) => {
	if (target !== stood && target.dataset.change && isTyped(target)) since.set(target, seen());
	stood = target;
});
document.addEventListener('focusout', ({target}) => sendNow(target));
document.addEventListener('change', async ({target}) => {
	if (!target.dataset.change) return;
	if (isTyped(target)) return sendNow(target);
	if (target.matches('[type=file]'))
		return make({...JSON.parse(target.dataset.change), value: await target.files[0].text()});
	if (target.value !== '' || target.matches('[data-change*=when], [data-change*=protect]'))
		make(changeOf(target), null, target);
});
document.addEventListener('click', ({target}) => {
	const button = target.closest('button[data-change], button[data-way]');
	if (!button) return;
	[...timers.keys()].forEach(sendNow);
	if (button.dataset.way) return make({do: button.dataset.way});
	const menu = button.closest('.menu');
	if (menu) menu.open = false;
	change(changeOf(button), button.closest('[data-question]')?.dataset.question);
});

/** A change of a whole question; the focus goes from a deleted one to the next, and back with an undo. */
function change(said, question) {
	const after = said.do === 'delete' && lineAfter(question);
	const line = id => document.getElementById(id)?.querySelector('summary') ?? document.getElementById('add-lines');
	const undo = () => make({do: 'undo'}, () => line(`q-${question}`).focus());
	make(said, () => {
		if (question) document.getElementById(`q-${question}`)?.scrollIntoView({block: 'nearest'});
		if (said.do !== 'delete') return;
		tell(studio.dataset.deleted, [[studio.dataset.undo, undo]]);
		line(after).focus();
	});
}

document.addEventListener('keydown', event => {
	const question = event.target.closest?.('[data-question]')?.dataset.question;
	const step = {ArrowUp: 'up', ArrowDown: 'down'}[event.key];
	if (event.altKey && step && question) {
		event.preventDefault();
		[...timers.keys()].forEach(sendNow);
		make({do: 'move', question, to: step});
	}
	const named = {d: 'duplicate', D: 'duplicate', Delete: 'delete'}[event.key];
	if (named && question && event.target.matches('.q > summary') && !(event.ctrlKey || event.metaKey || event.altKey))
		change({do: named, question}, question);
	if ((event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key) && !isTyped(event.target)) {
		event.preventDefault();
		make({do: event.shiftKey || /y/i.test(event.key) ? 'redo' : 'undo'});
	}
});

/** A text box is as high as its text; newer browsers do this by style alone. */
const fits = CSS.supports('field-sizing', 'content');
function fit(field) {
	if (fits || !field.matches('textarea')) return;
	field.style.height = 'auto';
	field.style.height = `${field.scrollHeight + 2}px`;
}
const fitAll = () => {
	if (!fits) document.querySelectorAll('#sheet textarea').forEach(fit);
};

addEventListener('beforeunload', event => {
	const isAdded = [...document.querySelectorAll('.add textarea')].every(({value}) => !value.trim());
	if (!isSaved() || !isAdded) event.preventDefault();
});

studio.disabled = false;
latecomers();
if (document.getElementById('sheet')) {
	carding();
	document.addEventListener('toggle', fitAll, true);
	adding(make);
	dragging(make);
	previewing();
	zoning(make);
	openAt();
}
