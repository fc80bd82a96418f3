// The texts of one feature, in all languages: texts.json in its folder.

import {load, texts} from '../page.js';

/** What a feature's module waits for, in its `ready`. */
export async function learn(name) {
	const said = await load(`../features/${name}/texts`);
	for (const [tag, its] of Object.entries(said)) texts[tag] = {...its, ...texts[tag]};
}
