// An invitation is exchanged for a blind signature (RFC 9474): the site signs a random message it cannot see, and later
// cannot tell for which invitation. The key stands in the questionnaire: it is everybody's.

import { Stop } from './questionnaire.js';
import { post } from './sending.js';
import { RSABSSA } from './vendor/blindrsa.js';

const toText = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const suite = RSABSSA.SHA384.PSS.Deterministic();

const publicKey = (key) => crypto.subtle.importKey('jwk', { ...key, kty: 'RSA', alg: 'PS384', ext: true },
  { name: 'RSA-PSS', hash: 'SHA-384' }, true, ['verify']);

const REFUSALS = {
  invitation: 'notInvited', spent: 'spent', version: 'wrongHash', closed: 'closed', 'not-open': 'notOpen', rate: 'busy', busy: 'busy',
};

/** A random message, blinded; kept before it is sent, so that a second try asks for the same signature. */
export async function blind(key) {
  const message = crypto.getRandomValues(new Uint8Array(32));
  const { blindedMsg, inv } = await suite.blind(await publicKey(key), message);
  return { message: toText(message), blinded: toText(blindedMsg), inverse: toText(inv) };
}

export async function exchange(key, version, invitation, { message, blinded, inverse }) {
  const answer = await post('invitations', JSON.stringify({ version, invitation, blinded })).catch(() => ({}));
  const { signature, error } = await answer.json?.().catch(() => ({})) ?? {};
  if (!answer.ok) throw new Stop(REFUSALS[error] ?? 'unreachable');
  try {
    const bytes = await suite.finalize(await publicKey(key), toBytes(message), toBytes(signature), toBytes(inverse));
    return { message, signature: toText(bytes) };
  } catch {
    throw new Stop('notInvited'); // signed with another key than everybody's
  }
}
