// One body, of the size the questionnaire fixes, sent until the server says yes or no.

const FIRST_PAUSE = 2; // seconds
const LONGEST_PAUSE = 300;
const PATIENCE = 30_000; // milliseconds for one try

export function bodyOf(response, size) {
	const bare = new TextEncoder().encode(JSON.stringify({...response, pad: ''})).length;
	return JSON.stringify({...response, pad: '0'.repeat(size - bare)});
}

export const post = (address, body) =>
	fetch(address, {
		method: 'POST',
		body,
		headers: {'Content-Type': 'application/json'},
		credentials: 'omit',
		redirect: 'error',
		signal: AbortSignal.timeout?.(PATIENCE),
	});

/** One try: {outcome, said} or, where another can help, {again: seconds to wait}. */
async function attempt(body) {
	try {
		const answer = await post('responses', body);
		if (answer.status === 429 || answer.status >= 500) return {again: Number(answer.headers.get('Retry-After')) || 0};
		const said = await answer.json();
		if (!answer.ok)
			return {
				said,
				outcome: {409: said.error === 'version' ? 'changed' : 'duplicate', 410: 'closed'}[answer.status] ?? 'refused',
			};
		return /^[0-9a-f]{64}$/.test(said.receipt) ? {outcome: 'stored', said} : {again: 0};
	} catch {
		return {again: 0};
	}
}

/** The same bytes, with growing pauses, until there is an outcome; `end`, or a network that returns, ends a pause. */
export async function deliver(body, waiting) {
	for (let grown = FIRST_PAUSE; ; grown *= 2) {
		const result = await attempt(body);
		if (result.outcome) return result;
		const seconds = Math.min(Math.max(result.again, grown), LONGEST_PAUSE);
		await new Promise(end => {
			setTimeout(end, seconds * (1 + Math.random() / 4) * 1000);
			addEventListener('online', end, {once: true});
			waiting(seconds, end);
		});
	}
}
