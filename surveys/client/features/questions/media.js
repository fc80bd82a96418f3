// Pictures and sounds of the questionnaire. A file is named by its hash, and no other bytes are shown. All files of all
// languages are asked for where the first page is drawn, and never later: a request, also a second one after a failure
// or in another language, would tell the site what somebody reads. No cache keeps them.

import {insist} from '../../chances.js';
import {home, questionsOf, sha256} from '../../exchange.js';
import {h, p, say, spoken, style, textOf} from '../../page.js';

const TYPES = {
	png: 'image/png',
	jpg: 'image/jpeg',
	svg: 'image/svg+xml',
	mp3: 'audio/mpeg',
	m4a: 'audio/mp4',
};
const asked = new Map();
const failed = new Set();

async function load({slug}, name) {
	const address = new URL(`/s/${slug}/media/${name}`, new URL(home, location.href));
	const answer = await fetch(address, {cache: 'no-store', credentials: 'omit'});
	const bytes = await answer.arrayBuffer();
	insist((await sha256(bytes)) === name.slice(0, 64), 'a file is not the one that was published');
	return URL.createObjectURL(new Blob([bytes], {type: TYPES[name.split('.')[1]]}));
}

/** Where the file lies in this page, once it is here; undefined where it cannot be had. */
function addressOf(definition, name) {
	if (!asked.has(name))
		asked.set(
			name,
			load(definition, name).catch(() => {
				failed.add(name);
			}),
		);
	return asked.get(name);
}

/** A picture with its place kept free: its name says its size. */
export function image(definition, name, words, attributes) {
	const [, width, height] = name.match(/-(\d+)x(\d+)\./);
	const element = h('img', {alt: textOf(words), ...spoken(), width, height, ...attributes});
	addressOf(definition, name).then(src => (src ? Object.assign(element, {src}) : element.replaceWith(element.alt)));
	return element;
}

const fileOf = ({file}, {languages}) => file[spoken().lang] ?? file[languages[0]];

/** What all visits ask for, at their beginning; here alone what failed is asked for again. */
export function firstPage(definition) {
	failed.forEach(name => asked.delete(name));
	failed.clear();
	for (const {media} of questionsOf(definition))
		for (const name of Object.values(media?.file ?? {})) addressOf(definition, name);
	return null;
}

/** The picture or the sound of a question. */
export function besides({media}, {definition}) {
	if (!media) return null;
	const name = fileOf(media, definition);
	if (/x/.test(name)) return p('', image(definition, name, media.words, {class: 'picture'}));
	const sound = h('audio', {controls: true, 'aria-label': say('media.sound')});
	const words = h('details', {}, h('summary', {}, say('media.words')), h('p', spoken(), textOf(media.words)));
	addressOf(definition, name).then(src => {
		Object.assign(src ? sound : words, src ? {src} : {open: true});
	});
	return [p('', sound), words];
}

export const ready = () => style(new URL('media.css', import.meta.url));
