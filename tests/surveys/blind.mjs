// One step of the browser's side of an invitation, on standard input and output as JSON: {step: 'blind' | 'finalize',
// …}. `draws`: what the random generator gives, one after the other, in place of chance.
import {readFileSync} from 'node:fs';
import {RSABSSA} from '../../surveys/client/vendor/blindrsa.js';

const toText = bytes => Buffer.from(bytes).toString('base64url');
const toBytes = text => new Uint8Array(Buffer.from(text, 'base64url'));

const {step, key, message, inverse, signature, draws} = JSON.parse(readFileSync(0, 'utf8'));
if (draws)
	crypto.getRandomValues = array => {
		array.set(toBytes(draws.shift()));
		return array;
	};
const suite = RSABSSA.SHA384.PSS.Deterministic();
const jwk = {kty: 'RSA', alg: 'PS384', ext: true, ...key};
const publicKey = await crypto.subtle.importKey('jwk', jwk, {name: 'RSA-PSS', hash: 'SHA-384'}, true, ['verify']);
if (step === 'blind') {
	const {blindedMsg, inv} = await suite.blind(publicKey, toBytes(message));
	console.log(JSON.stringify({blinded: toText(blindedMsg), inverse: toText(inv)}));
} else {
	const token = await suite.finalize(publicKey, toBytes(message), toBytes(signature), toBytes(inverse));
	console.log(JSON.stringify({signature: toText(token)}));
}
