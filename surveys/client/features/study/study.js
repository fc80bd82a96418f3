// A study: before its first page the device draws which survey it asks, by chances that are published. What was drawn
// is kept, so that nobody draws twice; Leave forgets it.

import {draw, insist, isShares, randomWord} from '../../chances.js';
import {alone, home, keptHere, path, read, sha256, write} from '../../exchange.js';

/** The arm that this device asks; nothing for this survey itself. */
export const drawnArm = ({here, arms}, take = randomWord) =>
	arms[draw([here, ...arms.map(({chance}) => chance)], take) - 1];

/** The address of an arm: that of this page, for another survey and its questionnaire; `first`: the version of the one
 * whose invitations let people in. */
export function addressOf({slug, version}, {search, hash}, first) {
	const parts = new URLSearchParams(hash.slice(1));
	parts.set('v', version);
	if (first) parts.set('d', first);
	if (!parts.has('s')) return `../${slug}/${search}#${parts}`;
	parts.set('s', slug);
	return `#${parts}`;
}

/** An arm exchanges its invitation where the study begins: that survey signs, and does not learn of which arm. */
function atFirst(of) {
	const version = new URLSearchParams(location.hash.slice(1)).get('d');
	insist(/^[\w-]{1,50}$/.test(of), 'the first survey is none');
	return {address: new URL(`../../s/${of}/invitations`, new URL(home, location)).href, version};
}

/** Whose arm is kept: that of an invitation, or of everybody. */
async function invitationOf({definition: {access}, number}) {
	const secret = access === 'invitation' && (number ?? new URLSearchParams(location.hash.slice(1)).get('i'));
	return secret ? sha256(new TextEncoder().encode(secret)) : undefined;
}

/** The slug of the arm that is drawn, null for this survey. Where an earlier version drew one for an invitation, it
 * stays: the token is kept there, and there is no second. */
function slugOf(by, study) {
	const isArm = ({state, by: whose, arm}) =>
		state === 'arm' && whose === by && (!arm || study.arms.some(({slug}) => slug === arm));
	const earlier = by && keptHere(path).find(([, kept]) => isArm(kept));
	return earlier ? earlier[1].arm : (drawnArm(study)?.slug ?? null);
}

/** Go on to the arm that is drawn, unless it is this survey, or the questionnaire is only tried. */
export async function enter(session) {
	const {definition, version} = session;
	const {study, trial} = definition;
	if (study.of) {
		if (!trial) session.exchangedAt = atFirst(study.of);
		return;
	}
	const {here, arms} = study;
	insist(isShares([here, ...arms.map(({chance}) => chance)], arms.length + 1), 'the arms have other chances');
	insist(
		arms.every(arm => /^[\w-]{1,50}$/.test(arm.slug) && /^[0-9a-f]{64}$/.test(arm.version)),
		'an arm is none',
	);
	if (trial) return;
	const by = await invitationOf(session);
	const place = by ? `candor:${version}:${by}:arm` : `candor:${version}:arm`;
	const slug = await alone(place, () => {
		const kept = read(place) ?? {path, gamma: 1, whole: true, state: 'arm', arm: slugOf(by, study), by};
		write(place, kept);
		return kept.arm;
	});
	const arm = arms.find(one => one.slug === slug);
	if (!arm) return;
	location.replace(addressOf(arm, location, by && version));
	await new Promise(() => {}); // what was begun here goes away with this page
}
