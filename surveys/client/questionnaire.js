import {insist} from './chances.js';
import {kindOf} from './kinds.js';
import {odds} from './protection.js';
import {early, questionsOf, read} from './reading.js';
import {typeOf} from './types.js';

/** The way ends here; the message is a key of the words, the cause what else is known. */
export class Stop extends Error {}

export const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');

export const sha256 = async bytes => hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

/** What no server sees of a link: v, the questionnaire's hash; i, an invitation. */
export function readLink(fragment) {
	const parts = new URLSearchParams(fragment.slice(1));
	return {hash: parts.get('v')?.toLowerCase(), secret: parts.get('i')};
}

/** `begun`: this device holds the invitation from another version. */
export async function load({hash, secret}, begun) {
	if (hash != null && !/^[0-9a-f]{64}$/.test(hash)) throw new Stop('incomplete');
	// What could not be fetched at first is asked for again: a response may have been delivered meanwhile.
	const first = await early;
	const {answer, bytes, definition: source, more} = first.bytes || first.answer.status ? first : await read();
	if (!bytes) {
		const said = await answer.json?.().catch(() => null);
		throw new Stop({403: 'notOpen', 404: 'notFound', 410: 'closed', 503: 'busy'}[answer.status] ?? 'unreachable', {
			cause: {said},
		});
	}
	const version = await sha256(bytes);
	if (hash != null && hash !== version) throw new Stop('wrongHash');
	const definition = understand(source);
	if (definition.access === 'invitation' && !(secret && (hash || begun))) throw new Stop('incomplete');
	return {...more, definition, design: definition.design, version, checked: hash != null, gamma: definition.gamma};
}

function understand(definition) {
	try {
		insist(definition.candor === 1 && definition.pad > 0 && Intl.getCanonicalLocales(definition.languages).length);
		return {...definition, gamma: odds(definition.design), items: locate(definition)};
	} catch {
		throw new Stop('malformed');
	}
}

/** Every item of the design, with its block, its question and its part of that. */
function locate(definition) {
	const asking = new Map();
	const open = new Map();
	for (const question of questionsOf(definition)) {
		const {id, sensitive, when} = question;
		insist(!open.has(id));
		// What is shown never depends on a sensitive answer, and what is to be disguised is always shown.
		insist(!when || (!sensitive && open.get(when.question)));
		open.set(id, !sensitive);
		const parts = sensitive ? typeOf(question).parts(question) : [];
		for (const part of parts) asking.set(part?.id ?? id, {question, part});
	}
	const items = definition.design.blocks.flatMap(block =>
		block.items.map(item => {
			const {question, part} = asking.get(item.id);
			asking.delete(item.id);
			insist(`${typeOf(question).values(question).sort()}` === `${[...kindOf(block).answers(item)].sort()}`);
			return {...item, block, question, part};
		}),
	);
	insist(!asking.size);
	return items;
}
