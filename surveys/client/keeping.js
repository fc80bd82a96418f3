// What is kept on the device from Begin on: {path, gamma, whole} and, by its state, never the truth behind a disguise:
// begun {key, asked, blinding?, token?}: random numbers
// pending {direct, record, body}: what is sent, until the server answers
// sent {direct, record, receipt}
// told: another response is stored under the key or invitation
// gamma: of all that may have left the device, 1 of nothing, null (infinite) of a direct response
// whole: its disguise left no answer open

const PREFIX = 'candor:';
const memory = new Map(); // where the browser keeps nothing
let over; // nothing may be kept any more

export const placeFor = (version, invitation) => `${PREFIX}${version}:${invitation ?? 'open'}`;

function stored(task) {
	try {
		return task(localStorage);
	} catch {} // nothing is kept
}

export const read = place => stored(storage => JSON.parse(storage.getItem(place))) ?? memory.get(place);

/** Keep an entry; true if it will still be there after a reload. */
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

/** Alone among all tabs, if they share a storage: the first Send wins. */
export const alone = (place, task) => (stored(() => navigator.locks) ? navigator.locks.request(place, task) : task());
