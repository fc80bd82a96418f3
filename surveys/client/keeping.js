// What this page keeps on the device, per questionnaire and invitation, from Begin on; never a true answer:
//   {path, gamma, state: 'begun', key, asked, blinding?, token?}    random numbers only
//   {path, gamma, state: 'pending', record, body}                   the disguised response, until the server answers
//   {path, gamma, state: 'sent', direct, record, receipt}           the receipt, until it is erased
//   {path, gamma, state: 'told'}                                    a response reached the site and was refused
// `path` is the survey's, `gamma` that of the design: a later version is a second disclosure.

const PREFIX = 'candor:';
const memory = new Map(); // all there is where the browser keeps nothing

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
  memory.set(place, entry);
  return stored((storage) => storage.setItem(place, JSON.stringify(entry)) === undefined) ?? false;
}

export function erase(place) {
  memory.delete(place);
  stored((storage) => storage.removeItem(place));
}

const places = () => [...new Set([...(stored(Object.keys) ?? []), ...memory.keys()])].filter((place) => place.startsWith(PREFIX));

export const eraseAll = () => places().forEach(erase);

/** Everything kept for the survey at this path, whatever its version: pairs of place and entry. */
export const keptHere = (path) => places().map((place) => [place, read(place)]).filter(([, kept]) => kept?.path === path);

/** Run alone among all tabs, so that the first Send wins. */
export const alone = (place, task) => (navigator.locks ? navigator.locks.request(place, task) : task());
