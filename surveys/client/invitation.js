// An invitation is exchanged for a blind signature (RFC 9474): the site signs a random message it cannot see, and later
// cannot tell for which invitation. The key stands in the questionnaire: it is everybody's.

import {drawAsked} from './disguise.js';
import {home, Stop} from './exchange.js';
import {post} from './response.js';
import {RSABSSA} from './vendor/blindrsa.js';

const toText = bytes =>
	btoa(String.fromCharCode(...bytes))
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replace(/=+$/, '');
const toBytes = text =>
	Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0));

const suite = RSABSSA.SHA384.PSS.Deterministic();

const publicKey = key =>
	crypto.subtle.importKey(
		'jwk',
		{...key, kty: 'RSA', alg: 'PS384', ext: true},
		{name: 'RSA-PSS', hash: 'SHA-384'},
		true,
		['verify'],
	);

const REFUSALS = {
	invitation: 'notInvited',
	spent: 'spent',
	version: 'changed',
	closed: 'closed',
	'not-open': 'notOpen',
	rate: 'busy',
	busy: 'busy',
};

/** The token of the invitation, and the questions that it draws. Each step is kept before the next one is taken. */
export async function admit(session, secret, keep) {
	const {
		definition: {drawn, key},
		design,
		version,
		exchangedAt = {address: `${home}invitations`, version},
	} = session;
	if (!session.entry.token) {
		// A second try asks for the same signature.
		if (!session.entry.blinding) keep({...session.entry, blinding: await blind(key)});
		const {blinding, ...entry} = session.entry;
		keep({...entry, token: await exchange(key, exchangedAt, secret, blinding)});
	}
	if (drawn) keep({...session.entry, asked: await drawnBy(design, version, session.entry.token)});
}

/** A random message, blinded. */
async function blind(key) {
	const message = crypto.getRandomValues(new Uint8Array(32));
	const {blindedMsg, inv} = await suite.blind(await publicKey(key), message);
	return {message: toText(message), blinded: toText(blindedMsg), inverse: toText(inv)};
}

async function exchange(key, {address, version}, invitation, {message, blinded, inverse}) {
	if (!version) throw new Stop('incomplete'); // the link of an arm, without the version of its first survey
	const answer = await post(address, JSON.stringify({version, invitation, blinded})).catch(() => ({}));
	const {signature, error} = (await answer.json?.().catch(() => ({}))) ?? {};
	if (!answer.ok) throw new Stop(REFUSALS[error] ?? 'unreachable');
	try {
		const bytes = await suite.finalize(await publicKey(key), toBytes(message), toBytes(signature), toBytes(inverse));
		return {message, signature: toText(bytes)};
	} catch {
		throw new Stop('notInvited'); // signed with another key than everybody's
	}
}

/** Which questions to ask, drawn by the signature: neither who answers nor who asks could choose it. */
async function drawnBy(design, version, {signature}) {
	const seed = new TextEncoder().encode(`candor asked ${version} ${signature}`);
	const count = 64 + 2 * design.blocks.flatMap(({items}) => items).length; // some may have to be drawn again
	const words = [];
	for (let counter = 0; words.length < count; counter += 1) {
		const hash = new DataView(
			await crypto.subtle.digest('SHA-256', Uint8Array.of(...seed, counter >> 8, counter & 255)),
		);
		for (let place = 0; place < hash.byteLength; place += 4) words.push(hash.getUint32(place));
	}
	return drawAsked(design, () => words.shift());
}
