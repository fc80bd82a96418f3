// Two strengths of one disguise: half of the devices, drawn by chance, use the stronger one, and say which.

import {insist, ONE, randomWord} from '../chances.js';
import {odds} from '../disguise.js';
import {p, say} from '../page.js';

/** The design as it is in the stronger arm; in the weaker it is as it says itself. */
const strengthened = design => ({
	...design,
	blocks: design.blocks.map(({stronger, ...block}) => ({...block, ...stronger})),
});

/** Of a stronger arm a block has only the chances, and less can be told by each. */
export function checkArms(design) {
	for (const block of design.blocks.filter(({stronger}) => stronger)) {
		const alone = {...design, blocks: [block]};
		const isKnown = Object.keys(block.stronger).every(field => field in block && field !== 'items');
		insist(isKnown && odds(strengthened(alone)) <= odds(alone), 'the second disguise is no stronger than the first');
	}
}

/** The arm that this device disguises by, and the design as it is there; nothing where there is one disguise. */
export function drawArm(design, take = randomWord) {
	if (!design.blocks.some(({stronger}) => stronger)) return {};
	const both = {weaker: design, stronger: strengthened(design)};
	const arm = take() < ONE / 2 ? 'weaker' : 'stronger';
	return {arm, armed: both[arm]};
}

/** What the first page says: its promise is the weaker one. */
export const note = () => p('', say('checks.arms'));

/** What the receipt says. */
export const drawnArm = arm => p('quiet', say(`checks.${arm}`));
