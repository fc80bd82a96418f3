// The survey in a frame of another site's page, which must not learn an answer. The browser keeps that page from
// reading here. It can still lay something over a question, take the keyboard, count presses and keys, and size
// the frame. So here an answer is one press on an option, and it counts only where the browser says that question
// and option have been in sight, whole and with nothing over them. A survey whose answers take keys or several
// presses, or decide what is asked, gets a window of its own, and so does a browser that cannot say what is in
// sight. What the page around hears is the same for all answers.

import {questionsOf, readLink} from '../../exchange.js';
import {button, gap, h, p, say, show, written} from '../../page.js';
import {loadTypes, typeOf} from '../../questionnaire.js';
import {learn} from '../texts.js';

const STEADY = 400; // milliseconds in sight
const WHOLE = 0.98; // of it: a part of a pixel may be cut off

const around = location.ancestorOrigins?.[0];
const canTell = 'isVisible' in (globalThis.IntersectionObserverEntry?.prototype ?? {});

const NOTE = '[id$="-note"]'; // what people see between a question and its options, such as the ends of a scale

/** Since when each button, option and question is in sight. */
const inSight = new WeakMap();

const said = new Set();

/** Whether each question is answered by one press, and everybody is led through as many. */
const isPressed = definition =>
	!definition.design.direct &&
	(definition.pages.length < 2 ||
		definition.design.blocks.every(({ask, items}) => (ask ?? items.length) === items.length)) &&
	questionsOf(definition).every(
		question =>
			(question.required || question.sensitive || question.parameter || question.chances) &&
			!question.when &&
			!question.out &&
			!question.enough &&
			!question.media &&
			(question.parameter || question.chances || typeOf(question).role === 'radiogroup'),
	);

export async function ready(session) {
	await learn('frames');
	const {definition} = session;
	await loadTypes(questionsOf(definition));
	color(readLink(location).given('t'));
	session.site = definition.frames.includes(around) && around;
	if (canTell && session.site && isPressed(definition)) guard();
	else session.door = {welcome: door};
}

const alone = kind =>
	button('frames.alone', () => open(location.href.replace('/f/', '/s/'), '_blank', 'noopener'), `${kind} alone`);

function door({definition}) {
	show(written('span', definition.title), p('lead', say('frames.door')), p('buttons', alone('main')));
}

export const firstPage = () => p('caution', say('frames.first', {site: around}), gap(), alone('link'));

/** In the light or dark looks of the page around. */
function color(theme) {
	if (!/^(light|dark)$/.test(theme)) return;
	document.documentElement.style.colorScheme = theme;
	for (const {media} of [...document.styleSheets].flatMap(({cssRules}) => [...cssRules]))
		if (/color-scheme/.test(media?.mediaText)) media.mediaText = theme === 'dark' ? 'all' : 'not all';
}

/** Let nothing count but presses on what is in sight, and let nobody read an option that something lies over. */
function guard() {
	const observer = new IntersectionObserver(
		entries =>
			entries.forEach(({target, isVisible, intersectionRatio, time}) => {
				const isWhole = intersectionRatio >= WHOLE;
				if (!isVisible || !isWhole) inSight.delete(target);
				else if (!inSight.has(target)) inSight.set(target, time);
				target.style.color = isWhole && !isVisible && target.matches('.option') ? 'transparent' : '';
			}),
		{threshold: WHOLE, trackVisibility: true, delay: 100},
	);
	const watch = () => {
		document.querySelectorAll(`button, .option, legend, ${NOTE}`).forEach(element => observer.observe(element));
		document.querySelectorAll('.option input').forEach(input => Object.assign(input, {tabIndex: -1}));
	};
	new MutationObserver(watch).observe(document.body, {childList: true, subtree: true});
	document.documentElement.style.overscrollBehavior = 'contain'; // the page around does not feel where this one ends
	addEventListener('mousedown', event => event.target.closest?.('.option') && event.preventDefault(), true);
	addEventListener('click', press, true);
	addEventListener('keydown', type, true);
}

function press(event) {
	const pressed = event.target.closest?.('button:not(.alone, .leave), .option');
	if (!pressed) return;
	const [question, note] = ['legend', NOTE].map(part => pressed.closest('fieldset')?.querySelector(part));
	const isSteady = element => performance.now() - inSight.get(element) >= STEADY;
	const read = [pressed, question, note?.offsetHeight && note].filter(Boolean);
	if (!read.every(isSteady)) return refuse(event, pressed, question);
	const input = pressed.querySelector('input');
	if (!input || event.target === input) return;
	// What has the focus is scrolled to, also by the page around, which would feel where the option is.
	event.preventDefault();
	input.click();
}

/** Keys could be counted, or taken by the page around: none gives an answer. */
function type(event) {
	if (/^( |Arrow.*)$/.test(event.key) && event.target.matches('input')) refuse(event, event.target);
}

function refuse(event, pressed, question = pressed) {
	event.preventDefault();
	event.stopImmediatePropagation();
	document.querySelector('.refused')?.remove();
	const place = pressed.closest('.question, .buttons, .options') ?? pressed;
	const caution = h('p', {class: 'caution refused', role: 'alert'}, say('frames.refused'), gap(), alone('link'));
	place.after(caution);
	const free = document.querySelector('header').offsetHeight + 16;
	const above = question.getBoundingClientRect().top - free;
	const below = caution.getBoundingClientRect().bottom + 16 - innerHeight;
	scrollBy(0, Math.min(above, Math.max(below, 0))); // the page around does not move
}

const BEGUN = ['before', 'comprehension', 'drawn', 'choice', 'questions'];
const STATES = {...Object.fromEntries(BEGUN.map(state => [state, 'begun'])), receipt: 'sent', left: 'left'};

/** Tell the page around how far the visit is: each thing once, with the mark of the questionnaire, and how high the
 * first page is where nobody has been here before. It comes before a page is drawn: how long that takes may depend on
 * what was sent. */
export function reached(state, {site, version, earlier, forgot}) {
	const isNew = state === 'welcome' && earlier === 1 && !forgot;
	const what = isNew ? 'height' : STATES[state];
	if (!site || !what || said.has(what)) return;
	said.add(what);
	const tell = more => parent.postMessage({candor: what, ...more}, site);
	if (!isNew) return tell({mark: version.slice(0, 16)});
	const height = () => Math.ceil(document.querySelector('main')?.getBoundingClientRect().bottom + scrollY);
	setTimeout(() => tell({height: height()})); // once it is drawn
}
