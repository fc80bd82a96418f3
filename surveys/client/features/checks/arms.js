// Two strengths of one disguise: half of the devices, drawn by chance, use the stronger one, and say which.

import {insist, ONE, randomWord} from '../../chances.js';
import {odds} from '../../disguise.js';
import {p, say} from '../../page.js';

/** The design as it is in an arm: in the stronger one with its chances, in the weaker as it says itself. */
export function inArm(design, arm) {
	const blocks = design.blocks.map(({stronger, ...block}) => Object.assign(block, stronger));
	return {stronger: {...design, blocks}}[arm] ?? design;
}

/** Of a stronger arm a block has only the chances, and less can be learned from each. */
export function checkArms(design) {
	for (const block of design.blocks.filter(({stronger}) => stronger)) {
		const {stronger} = block;
		const isKnown = Object.keys(stronger).every(field => field in block && field !== 'items');
		const [weak, strong] = ['weaker', 'stronger'].map(arm => odds(inArm({...design, blocks: [block]}, arm)));
		insist(isKnown && strong <= weak, 'the second disguise is no stronger than the first');
	}
}

/** The arm that this device disguises by, and the design as it is there; nothing where there is one disguise. */
export function drawArm(design, take = randomWord) {
	if (!design.blocks.some(({stronger}) => stronger)) return {};
	const arm = take() < ONE / 2 ? 'weaker' : 'stronger';
	return {arm, armed: inArm(design, arm)};
}

/** What the first page says: its promise is the weaker one. */
export const note = () => p('', say('checks.arms'));

/** What the receipt says. */
export const drawnArm = arm => p('quiet', say(`checks.${arm}`));
