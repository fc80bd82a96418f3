// What is kept on the device from Begin on, by its state; never the truth behind a disguise:
// begun {path, gamma, key, asked, blinding?, token?}: random numbers
// pending {path, gamma, direct, record, body}: what is sent, until the server answers
// sent {path, gamma, direct, record, receipt}
// told {path, gamma}: another response is stored under the key or invitation
// gamma: of all that may have left the device, 1 of nothing, null (infinite) of a direct response

const PREFIX = 'candor:';
const memory = new Map(); // where the browser keeps nothing

export const placeFor = (version, invitation) => `${PREFIX}${version}:${invitation ?? 'open'}`;

function stored(task) {
  try {
    return task(localStorage);
  } catch {
    return undefined;
  }
}

export const read = (place) => stored((storage) => JSON.parse(storage.getItem(place))) ?? memory.get(place);

/** Keep an entry; true if it will still be there after a reload. */
export function write(place, entry) {
  const text = JSON.stringify(entry);
  memory.set(place, JSON.parse(text));
  const kept = stored((storage) => storage.setItem(place, text) === undefined) ?? false;
  if (!kept) stored((storage) => storage.removeItem(place)); // an older entry must not count for this one
  return kept;
}

export function erase(place) {
  memory.delete(place);
  stored((storage) => storage.removeItem(place));
}

const places = () => [...new Set([...(stored(Object.keys) ?? []), ...memory.keys()])].filter((place) => place.startsWith(PREFIX));

export const eraseAll = () => places().forEach(erase);

export const keptHere = (path) => places().map((place) => [place, read(place)]).filter(([, kept]) => kept?.path === path);

/** Alone among all tabs, if they share a storage: the first Send wins. */
export const alone = (place, task) => (stored(() => navigator.locks) ? navigator.locks.request(place, task) : task());
