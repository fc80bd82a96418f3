// Changes leave one after the other, each with the number of the last change that this tab has seen. What cannot be
// sent now is sent again; what somebody else has changed meanwhile is shown, and nothing is lost.

import {have, timers} from './patching.js';

const PAUSE = 3000; // ms between tries

const studio = document.getElementById('studio');
const words = studio.dataset;
const token = studio.querySelector('[name=csrfmiddlewaretoken]').value;
const tab = Array.from(crypto.getRandomValues(new Uint8Array(8)), byte => byte.toString(16).padStart(2, '0')).join('');

let number = Number(studio.dataset.number);
let waiting = [];
let sending = false;

/** Changes that wait until the reader has chosen which text stays. */
export const open = new Set();

/** The number of the last change that this tab has seen. */
export const seen = () => number;

/** Whether everything has arrived. */
export const isSaved = () => !sending && !waiting.length && !timers.size && !open.size;

/** Whether a text of this part has not left yet. */
export const isUnsent = part => waiting.some(({field}) => part.contains(field ?? null));

/** Whether its answer draws everything again, also what is being typed. */
export const isRedrawn = change => ['undo', 'redo', 'look'].includes(change.do);

/** Whether two changes are of one text. */
export const isSame = (one, other) => place(one) === place(other);
const place = change => JSON.stringify({...change, value: null, lines: null});

/** Send the change of what was read at `base`; `answered` gets what is shown now, `refused` why it cannot be. */
export function send(change, field, base, answered, refused) {
	// Of a text that is still being typed only the newest waits: the same change with another value.
	waiting = waiting.filter(other => !('value' in change || change.do === 'rows') || !isSame(other.change, change));
	waiting.push({change, field, base, answered, refused});
	state(words.saving);
	next();
}

async function next() {
	if (sending || !waiting.length) return;
	sending = true;
	const first = waiting.shift(); // a newer text of the same field waits behind it
	const answer = await post(first);
	sending = false;
	if (!answer || answer.signedOut) {
		waiting.unshift(first);
		state(answer ? words.signedOut : words.waiting);
		if (!answer) setTimeout(next, PAUSE);
		return;
	}
	if ('number' in answer) number = answer.number;
	if (answer.refused) first.refused(answer.refused);
	else first.answered(answer, first.change);
	if (isSaved()) state(answer.refused ?? words.saved);
	else if (open.size && !waiting.length && !timers.size) state(words.choose);
	next();
}

/** The answer, or nothing where the site cannot be reached or is busy. */
async function post({change, base}) {
	const known = isRedrawn(change) ? {} : have();
	const {step, beside} = studio.dataset;
	const body = JSON.stringify({base, tab, step, beside, have: known, change});
	const headers = {'Content-Type': 'application/json', 'X-CSRFToken': token};
	try {
		const answer = await fetch(studio.dataset.address, {method: 'POST', body, headers});
		if (answer.redirected || answer.status === 403) return {signedOut: true};
		if (answer.status >= 500) return null;
		return await answer.json();
	} catch {
		return null;
	}
}

/** Say where saving stands. Until all has arrived, figures are of the draft as it was, and grey. */
export function state(text) {
	document.getElementById('state').textContent = text;
	document.body.toggleAttribute('data-stale', !isSaved());
}
