// What people see of one word each: on the first page that answers stay and chance has a hand in what leaves, and in
// the end the word as a card.

import {h, style, svg} from '../../page.js';
import {bars, inFrequencies} from '../../promise.js';

export const ready = () => style(new URL('word.css', import.meta.url));

// A phone with answers, two of which are ticked, an arrow, a die and its way, and the card that they lead to.
const LINES =
	'M9 1h34q8 0 8 8v72q0 8-8 8H9q-8 0-8-8V9q0-8 8-8zm11 7h12M9 26h6m8 0h6m8-1 3 3 5-6M9 43h6m8 0h6m8 0h6' +
	'M8 60l3 3 5-6m7 3h6m8 0h6M9 77h6m8 0h6m8 0h6M60 32h68m-7-6 8 6-8 6' +
	'M86 61h16q5 0 5 5v16q0 5-5 5H86q-5 0-5-5V66q0-5 5-5zM144 22h46q6 0 6 6v28q0 6-6 6h-46q-6 0-6-6V28q0-6 6-6z' +
	'M155 38c4-2 8-2 12 0 4-2 8-2 12 0 0 9-4 13-6 13s-4-3-6-3-4 3-6 3-6-4-6-13z';
const DOTS = 'M88 68h.01m12 0h.01M94 74h.01M88 80h.01m12 0h.01M113 72h.01m6-5h.01m6-5h.01m5-6h.01';

export const picture = () =>
	svg(
		'svg',
		{class: 'people', viewBox: '0 0 198 90', 'aria-hidden': 'true', 'stroke-linecap': 'round'},
		svg('path', {d: LINES, 'stroke-width': 1.7}),
		svg('path', {d: DOTS, 'stroke-width': 3.4}),
	);

/** What was sent, by rows, and what it tells: how sure somebody who thought the chances even could become. */
export const card = (rows, said) => [
	h('div', {class: 'question word'}, h('table', {}, h('tbody', {}, rows))),
	inFrequencies(said),
	said.map(([, {of, most} = {}]) => most && bars([1 / 2, most / of])),
];
