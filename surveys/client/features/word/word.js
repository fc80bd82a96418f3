// What people see of one message each: on the first page that answers stay and chance has a hand in what leaves.

import {kindOf} from '../../disguise.js';
import {h, say, style, svg} from '../../page.js';

export const ready = () => style(new URL('word.css', import.meta.url));

// By the words under each: a phone with answers, two of which are ticked; a die; a message, and the place of none.
const PARTS = {
	'one-of.answers': [
		'M23 3h34q9 0 9 9v76q0 9-9 9H23q-9 0-9-9V12q0-9 9-9zm11 8h12M23 27h20M23 40h20M23 53h20M23 66h20M23 79h20',
		'M50 40l3 3 5-6M50 79l3 3 5-6',
	],
	'one-of.chance': [
		'M25 24h30q11 0 11 11v30q0 11-11 11H25q-11 0-11-11V35q0-11 11-11z',
		'M28 38h.01m24 0h.01M40 50h.01M28 62h.01m24 0h.01',
	],
	'one-of.message': [
		'M16 12h48q6 0 6 6v22q0 6-6 6H16q-6 0-6-6V18q0-6 6-6z' +
			'M28 23c5-2 8-2 12 0 4-2 7-2 12 0 0 9-4 14-7 14s-3-3-5-3-2 3-5 3-7-5-7-14z',
		'M16 56h48q6 0 6 6v22q0 6-6 6H16q-6 0-6-6V62q0-6 6-6z',
	],
};
const ARROW = ['M3 12h17m-6-6 6 6-6 6'];

const drawn = (paths, viewBox) =>
	svg(
		'svg',
		{class: 'people', viewBox, 'aria-hidden': 'true'},
		paths.map(d => svg('path', {d})),
	);

/** Three parts, with words under each; only where nothing else leaves in disguise. */
export const picture = ({blocks}, count) =>
	blocks.every(block => kindOf(block).words.one) &&
	h(
		'div',
		{class: 'parts'},
		Object.entries(PARTS).map(([words, paths], place) => [
			place > 0 && drawn(ARROW, '0 0 24 24'),
			h('span', {}, drawn(paths, '0 0 80 100'), say(words, {count})),
		]),
	);
