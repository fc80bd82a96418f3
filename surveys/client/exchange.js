// What comes from the site and what is kept here. It needs no other module: it asks for the questionnaire early.

/** The way ends here; the message is a key of the words, the cause what else is known. */
export class Stop extends Error {}

export const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');

export const sha256 = async bytes => hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

/** What no server sees of a link: s, the survey, at an origin of the page's own; v, the questionnaire's hash; i, an
 * invitation; p, the key of a shared device; and others' parameters of the address. */
export function readLink({hash: fragment, search}) {
	const parts = new URLSearchParams(fragment.slice(1));
	const others = new URLSearchParams(search);
	return {
		survey: parts.get('s'),
		hash: parts.get('v')?.toLowerCase(),
		secret: parts.get('i'),
		device: parts.get('p'),
		given: name => parts.get(name) ?? others.get(name),
	};
}

const site = globalThis.document?.querySelector?.('meta[name="site"]')?.content; // the page comes from elsewhere

/** The survey's own address, below which everything is asked. */
export const home = site
	? `${site}/s/${encodeURIComponent(readLink(location).survey)}/`
	: globalThis.location?.pathname;

export const path = home?.replace(/^\/f\//, '/s/'); // or framed

/** The questionnaire's answer, with its bytes if all came. No cache keeps it. */
async function ask() {
	const answer = await fetch(`${home}questionnaire`, {cache: 'no-store'}).catch(() => ({}));
	return {answer, bytes: answer.ok && (await answer.arrayBuffer().catch(() => null))};
}

const early = globalThis.isSecureContext && !home?.startsWith('/i/') && ask();

/** The questionnaire, compared with the hash of its link. */
export async function receive({hash}) {
	if (hash != null && !/^[0-9a-f]{64}$/.test(hash)) throw new Stop('incomplete');
	// Asked for again where it failed: a response may have been delivered meanwhile.
	const first = await early;
	const {answer, bytes} = first.bytes || first.answer.status ? first : await ask();
	if (!bytes) {
		const said = await answer.json?.().catch(() => null);
		throw new Stop({403: 'notOpen', 404: 'notFound', 410: 'closed', 503: 'busy'}[answer.status] ?? 'unreachable', {
			cause: {said},
		});
	}
	const version = await sha256(bytes);
	if (hash != null && hash !== version) throw new Stop('wrongHash', {cause: {bytes}});
	const source = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
	return {source, version, checked: hash != null};
}

export const questionsOf = ({pages}) => pages.flatMap(({questions}) => questions);

/** What of a question the device draws the order of. */
export const mixedOf = ({shuffle, items, options}) => shuffle && (items ?? options);

const PREFIX = 'candor:';
const memory = new Map(); // where the browser keeps nothing
const isShared = /[#&]p=/.test(globalThis.location?.hash);
let over; // nothing may be kept any more

export const placeFor = (version, invitation) => `${PREFIX}${version}:${invitation ?? 'open'}`;

function stored(task) {
	try {
		if (!isShared) return task(localStorage);
	} catch {} // nothing is kept
}

export const read = place => stored(storage => JSON.parse(storage.getItem(place))) ?? memory.get(place);

/** True if it will still be there after a reload. */
export function write(place, entry) {
	if (over) return false;
	const text = JSON.stringify(entry);
	memory.set(place, JSON.parse(text));
	const kept = stored(storage => storage.setItem(place, text) === undefined) ?? false;
	if (!kept) stored(storage => storage.removeItem(place)); // an older entry must not count for this one
	return kept;
}

export function erase(place) {
	memory.delete(place);
	stored(storage => storage.removeItem(place));
}

const places = () =>
	[...new Set([...(stored(Object.keys) ?? []), ...memory.keys()])].filter(place => place.startsWith(PREFIX));

/** `mine`: another tab did; only what this one wrote since, not what the next person did. */
export function eraseAll(mine) {
	over = true;
	places()
		.filter(place => !mine || JSON.stringify(read(place)) === JSON.stringify(memory.get(place)))
		.forEach(erase);
}

export const keptHere = path =>
	places()
		.map(place => [place, read(place)])
		.filter(([, kept]) => kept?.path === path);

/** Alone among all tabs that share a storage: the first Send wins. */
export const alone = (place, task) => (stored(() => navigator.locks) ? navigator.locks.request(place, task) : task());
