// A study: before its first page the device draws which survey it asks, by chances that are published. What was drawn
// is kept, so that nobody draws twice; Leave forgets it.

import {draw, insist, isShares, randomWord} from '../../chances.js';
import {alone, path, read, write} from '../../exchange.js';

/** The arm that this device asks; nothing for this survey itself. */
export const drawnArm = ({here, arms}, take = randomWord) =>
	arms[draw([here, ...arms.map(({chance}) => chance)], take) - 1];

/** The address of an arm: that of this page, for another survey and its questionnaire. */
export function addressOf({slug, version}, {search, hash}) {
	const parts = new URLSearchParams(hash.slice(1));
	parts.set('v', version);
	if (!parts.has('s')) return `../${slug}/${search}#${parts}`;
	parts.set('s', slug);
	return `#${parts}`;
}

/** Go on to the arm that is drawn, unless it is this survey, or the questionnaire is only tried. */
export async function enter({definition: {study, trial}, version}) {
	const {here, arms} = study;
	insist(isShares([here, ...arms.map(({chance}) => chance)], arms.length + 1), 'the arms have other chances');
	insist(
		arms.every(arm => /^[\w-]{1,50}$/.test(arm.slug) && /^[0-9a-f]{64}$/.test(arm.version)),
		'an arm is none',
	);
	if (trial) return;
	const place = `candor:${version}:arm`;
	const slug = await alone(place, () => {
		const kept = read(place) ?? {path, gamma: 1, whole: true, state: 'arm', arm: drawnArm(study)?.slug ?? null};
		write(place, kept);
		return kept.arm;
	});
	const arm = arms.find(one => one.slug === slug);
	if (!arm) return;
	location.replace(addressOf(arm, location));
	await new Promise(() => {}); // what was begun here goes away with this page
}
