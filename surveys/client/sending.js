// One body, padded to the size the questionnaire fixes, sent until the server has said yes or no.

const FIRST_PAUSE = 2; // seconds
const LONGEST_PAUSE = 300;
const PATIENCE = 30_000; // milliseconds for one try
const OUTCOMES = { 200: 'stored', 201: 'stored', 410: 'closed' };

/** The bytes of a response: fixed by the record once and for all, and of the same length for everybody. */
export function bodyOf(response, size) {
  const bare = new TextEncoder().encode(JSON.stringify({ ...response, pad: '' })).length;
  if (bare > size) throw new RangeError('the response is longer than the questionnaire allows');
  return JSON.stringify({ ...response, pad: '0'.repeat(size - bare) });
}

export const post = (address, body) => fetch(address, {
  method: 'POST',
  body,
  headers: { 'Content-Type': 'application/json' },
  credentials: 'omit',
  redirect: 'error',
  signal: AbortSignal.timeout?.(PATIENCE),
});

/** One try: {outcome, receipt} or, where another can help, {again: seconds the server asks for}. */
async function attempt(body) {
  try {
    const answer = await post('responses', body);
    if (answer.status === 429 || answer.status >= 500) return { again: Number(answer.headers.get('Retry-After')) || 0 };
    const { receipt, error } = await answer.json();
    if (answer.status === 409) return { outcome: error === 'version' ? 'changed' : 'duplicate' };
    return { outcome: OUTCOMES[answer.status] ?? 'refused', receipt };
  } catch {
    return { again: 0 };
  }
}

/** A pause; `end` ends it early, and so does the network when it returns. */
function pause(seconds) {
  let end;
  const over = new Promise((resolve) => { end = resolve; });
  setTimeout(end, seconds * 1000);
  addEventListener('online', end, { once: true });
  return { over, end };
}

/** The same bytes, with growing pauses, until there is an outcome; `waiting(seconds, end)` tells the person. */
export async function deliver(body, waiting) {
  for (let grown = FIRST_PAUSE; ; grown *= 2) {
    const result = await attempt(body);
    if (result.outcome) return result;
    const seconds = Math.min(Math.max(result.again, grown), LONGEST_PAUSE);
    const { over, end } = pause(seconds * (1 + Math.random() / 4));
    waiting(seconds, end);
    await over;
  }
}
