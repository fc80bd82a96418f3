// Why the way ends here, and what can be done.

import {home, keptHere, path, Stop, sha256} from '../exchange.js';
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

/** Why another questionnaire came than the link names: the site knows versions that ended. Of others, what came says
 * nothing. */
async function otherReason({message, cause: {bytes} = {}}, {hash, secret, given}) {
	if (message !== 'wrongHash' || !bytes) return;
	const text = new TextDecoder().decode(bytes);
	const {ok} = await fetch(`${home}versions/${hash}`, {cache: 'no-store', credentials: 'omit'}).catch(() => ({}));
	if (!ok) return;
	const {languages, texts, panel, access} = JSON.parse(text);
	const once = access === 'invitation';
	const lacks = once && !(secret ?? given(panel?.number));
	return new Stop('ended', {cause: {said: {languages, texts, panel, once, lacks}}});
}

/** In the survey's own languages: what the device keeps of earlier visits, and the end of those or of this one. */
export async function remember(first, kept, visit, link) {
	const reason = (await otherReason(first, link)) ?? first;
	const {message, cause} = reason;
	if (message === 'closed' && link.device)
		await import('../features/shared/shared.js').then(shared => shared.forgetBoxes()).catch(() => {});
	const {text, texts, languages} = cause?.said ?? {};
	if (text ?? languages) {
		writtenIn(text ? Object.keys(text) : languages, texts);
		await speak();
	}
	const panel = visit.session?.definition.panel ?? cause?.said?.panel;
	if (!panel) return [reason, link.secret, kept];
	const number = link.given(panel.number);
	if (!kept.length && number) {
		// Which invitation the panel's number is nobody said: the questionnaire was refused.
		const hash = await sha256(new TextEncoder().encode(number));
		kept = keptHere(path).flatMap(([place, entry]) => (place.endsWith(hash) ? entry : []));
	}
	const {endOf} = await import('../features/panel/panel.js').catch(() => ({}));
	const {out} = kept.find(entry => entry.out) ?? {};
	const has = kept.some(({state}) => state === 'sent') ? 'sent' : out && (out === 'full' ? 'full' : 'out');
	return [reason, link.secret, kept, endOf?.(panel, has || message, number)];
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
		said?.lacks && p('', say('stopped.endedInvited')),
		(reason === 'changed' || (reason === 'ended' && !said.lacks && !(said.once && sent.length))) &&
			press('stopped.newer', () => startOver(session || reason === 'ended')),
		sent.map(number),
		reason === 'closed' &&
			p('', h('a', {href: `${path}receipts/`, target: self !== top && '_blank'}, say('stopped.list'))),
		!invited && left.length > 0 && button('another', way.another, 'plain'),
	);
}
