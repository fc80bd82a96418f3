// The survey's own looks: the logo of who asks, beside what they say of themselves, and the colour of what is pressed.
// The header, the sign and what the page promises keep the looks of every survey, so that none passes for another page.

import {insist} from '../../chances.js';
import {p, style} from '../../page.js';
import {image} from '../questions/media.js';

/** Its styles, which the page waits for. */
export function ready({definition: {looks}}) {
	for (const name of looks.accent ? ['light', 'dark'] : []) {
		insist(/^#[0-9a-f]{6}$/i.test(looks.accent[name]));
		document.documentElement.style.setProperty(`--${name}`, looks.accent[name]);
	}
	return style(new URL('looks.css', import.meta.url));
}

/** Above who asks. */
export const sender = ({looks: {logo}, ...definition}) =>
	logo && p('', image(definition, logo.file, logo.words, {class: 'sender'}));
