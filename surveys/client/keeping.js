// What this page keeps on the device, per questionnaire and invitation, from Begin on; never a true answer:
//   {path, gamma, state: 'begun', key, asked, blinding?, token?}   random numbers
//   {…, state: 'pending', direct, record, body}                    the disguised response, until the server answers
//   {…, state: 'sent', direct, record, receipt}                    until it is erased
//   {…, state: 'told'}                                             a response was refused: another is a second disclosure

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
  memory.set(place, entry);
  const kept = stored((storage) => storage.setItem(place, JSON.stringify(entry)) === undefined) ?? false;
  if (!kept) stored((storage) => storage.removeItem(place)); // an older entry must not count for this one
  return kept;
}

export function erase(place) {
  memory.delete(place);
  stored((storage) => storage.removeItem(place));
}

const places = () => [...new Set([...(stored(Object.keys) ?? []), ...memory.keys()])].filter((place) => place.startsWith(PREFIX));

export const eraseAll = () => places().forEach(erase);

/** [place, entry] of every version of the survey at this path. */
export const keptHere = (path) => places().map((place) => [place, read(place)]).filter(([, kept]) => kept?.path === path);

/** Alone among all tabs: the first Send wins. */
export const alone = (place, task) => (navigator.locks ? navigator.locks.request(place, task) : task());
