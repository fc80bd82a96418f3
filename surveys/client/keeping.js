// What this page keeps on the device, per questionnaire and invitation, from Begin on; never a true answer:
//   {path, gamma, state: 'begun', key, asked, blinding?, token?}    random numbers only
//   {path, gamma, state: 'pending', record, body}                   the disguised response, until the server answers
//   {path, gamma, state: 'sent', direct, record, receipt}           the receipt, until it is erased
//   {path, gamma, state: 'told'}                                    a response reached the site and was refused
// `path` is the survey's, `gamma` that of the design: a later version is a second disclosure.

const PREFIX = 'candor:';
const memory = new Map();

export const placeFor = (version, invitation) => `${PREFIX}${version}:${invitation ?? 'open'}`;

export function read(place) {
  try {
    const kept = JSON.parse(localStorage.getItem(place));
    if (kept) return kept;
  } catch { /* no storage: what this page has in memory counts */ }
  return memory.get(place) ?? null;
}

/** Keep an entry; true if it will still be there after a reload. */
export function write(place, entry) {
  memory.set(place, entry);
  try {
    localStorage.setItem(place, JSON.stringify(entry));
    return true;
  } catch {
    return false;
  }
}

export function erase(place) {
  memory.delete(place);
  try {
    localStorage.removeItem(place);
  } catch { /* nothing was kept */ }
}

function places() {
  try {
    return Object.keys(localStorage).filter((place) => place.startsWith(PREFIX));
  } catch {
    return [];
  }
}

export const eraseAll = () => [...places(), ...memory.keys()].forEach(erase);

/** Everything kept for the survey at this path, whatever its version: pairs of place and entry. */
export const keptHere = (path) => places().map((place) => [place, read(place)]).filter(([, kept]) => kept?.path === path);

/** Run alone among all tabs, so that the first Send wins. */
export const alone = (place, task) => (navigator.locks ? navigator.locks.request(place, task) : task());
