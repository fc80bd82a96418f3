// One body, padded to the size the questionnaire fixes, sent until the server has said yes or no.

const FIRST_PAUSE = 2; // seconds
const LONGEST_PAUSE = 300;
const PATIENCE = 30_000; // milliseconds for one try

/** The bytes of a response: fixed by the record once and for all, and of the same length for everybody. */
export function bodyOf({ version, key, direct, record, open, token }, size) {
  const fields = { version, key, direct, record, open, ...(token && { token }) };
  const bare = new TextEncoder().encode(JSON.stringify({ ...fields, pad: '' })).length;
  if (bare > size) throw new RangeError('the response is longer than the questionnaire allows');
  return JSON.stringify({ ...fields, pad: '0'.repeat(size - bare) });
}

export const post = (address, body) => fetch(address, {
  method: 'POST',
  body,
  headers: { 'Content-Type': 'application/json' },
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'error',
  signal: AbortSignal.timeout?.(PATIENCE),
});

const OUTCOMES = { 200: 'stored', 201: 'stored', 410: 'closed' };

/** One try: {outcome, receipt?} or, where trying again can help, {again: seconds the server asks for}. */
async function attempt(body) {
  try {
    const answer = await post('responses', body);
    if (answer.status === 429 || answer.status >= 500) return { again: Number(answer.headers.get('Retry-After')) || 0 };
    const said = await answer.json().catch(() => ({}));
    if (answer.status === 409) return { outcome: said.error === 'version' ? 'changed' : 'duplicate' };
    if (answer.ok && !said.receipt) return { again: 0 };
    return { outcome: OUTCOMES[answer.status] ?? 'refused', receipt: said.receipt };
  } catch {
    return { again: 0 };
  }
}

/** A pause that ends early when the person asks for it or the network comes back. */
function pause(seconds, hurry) {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, seconds * 1000);
    function finish() {
      clearTimeout(timer);
      removeEventListener('online', finish);
      resolve();
    }
    addEventListener('online', finish);
    hurry.now = finish;
  });
}

/** Send the same bytes, with growing pauses, until there is an outcome. `waiting(seconds, hurry)` tells the person. */
export async function deliver(body, waiting) {
  for (let grown = FIRST_PAUSE; ; grown = Math.min(2 * grown, LONGEST_PAUSE)) {
    const result = await attempt(body);
    if (result.outcome) return result;
    const seconds = Math.min(Math.max(result.again, grown), LONGEST_PAUSE);
    const hurry = { now: () => {} };
    waiting(seconds, hurry);
    await pause(seconds * (1 + Math.random() / 4), hurry);
  }
}
