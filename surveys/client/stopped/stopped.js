// Why the way ends here, and what can be done.

import {keptHere, path, sha256} from '../exchange.js';
import {button, gap, h, p, say, show, speak, time, written, writtenIn} from '../page.js';
import {fate} from '../promise.js';
import {number} from '../response.js';

/** The newest version, by the same invitation; `refused`: the one that the link names. */
function startOver(refused) {
	const parts = new URLSearchParams(location.hash.slice(1));
	if (refused) parts.delete('v');
	history.replaceState(null, '', `${location.pathname}${location.search}#${parts}`);
	location.reload();
}

/** In the survey's own languages: what the device keeps of earlier visits, and the end of those or of this one. */
export async function remember({message, cause}, kept, visit, link) {
	const {text, texts, languages} = cause?.said ?? {};
	if (text ?? languages) {
		writtenIn(text ? Object.keys(text) : languages, texts);
		await speak();
	}
	const panel = visit.session?.definition.panel ?? cause?.said?.panel;
	if (!panel) return [kept];
	const number = link.given(panel.number);
	if (!kept.length && number) {
		// Which invitation the panel's number is nobody said: the questionnaire was refused.
		const hash = await sha256(new TextEncoder().encode(number));
		kept = keptHere(path).flatMap(([place, entry]) => (place.endsWith(hash) ? entry : []));
	}
	const {endOf} = await import('../features/panel/panel.js').catch(() => ({}));
	const {out} = kept.find(entry => entry.out) ?? {};
	const has = kept.some(({state}) => state === 'sent') ? 'sent' : out && (out === 'full' ? 'full' : 'out');
	return [kept, endOf?.(panel, has || message, number)];
}

export function stopped(session, way, {message: reason, cause: {said, dropped} = {}}, invited, kept, end) {
	const when = said?.opens ? time(said.opens) : '–';
	const {left, sent, said: become} = fate(kept);
	// People whom a panel's number let in know of no invitation.
	const panel = session?.definition.access === 'invitation' && session.definition.panel;
	const words = text => (panel?.number && say(`panel.${text}`, {panel: panel.name})) || say(`stopped.${text}`, {when});
	const press = (text, click) => h('button', {type: 'button', class: 'main', click}, say(text));
	show(
		words(reason) || say(reason),
		written('p', said?.text),
		p('lead', words(`${reason}Text`), gap(), say(dropped ? 'stopped.erased' : become)),
		end,
		['unreachable', 'busy'].includes(reason) && button('again', () => location.reload()),
		reason === 'refused' && press('stopped.answerAgain', way.again),
		(reason === 'changed' || (reason === 'wrongHash' && invited && kept.length > 0)) &&
			press('stopped.newer', () => startOver(session || reason === 'wrongHash')),
		sent.map(number),
		reason === 'closed' &&
			p('', h('a', {href: `${path}receipts/`, target: self !== top && '_blank'}, say('stopped.list'))),
		!invited && left.length > 0 && button('another', way.another, 'plain'),
	);
}
