// Two strengths of one disguise: half of the devices, drawn by chance, use the stronger one, and say which.

import {insist, ONE, randomWord} from '../chances.js';
import {odds} from '../disguise.js';
import {p, say} from '../page.js';

/** The design as it is in an arm: a block has the chances of the stronger one under its name. */
const inArm = (design, arm) => ({...design, blocks: design.blocks.map(block => ({...block, ...block[arm]}))});

/** The arm that this device disguises by, and the design as it is there; nothing where there is one disguise. */
export function drawArm(design, take = randomWord) {
	if (!design.blocks.some(({stronger}) => stronger)) return {};
	const arm = take() < ONE / 2 ? 'weaker' : 'stronger';
	return {arm, armed: inArm(design, arm)};
}

/** What the first page says: its promise is the weaker one. */
export function note(design) {
	insist(odds(inArm(design, 'stronger')) <= odds(design), 'the second disguise is no stronger than the first');
	return p('', say('checks.arms'));
}

/** What the receipt says. */
export const drawnArm = arm => p('quiet', say(`checks.${arm}`));
