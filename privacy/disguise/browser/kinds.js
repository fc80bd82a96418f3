// The kinds of block, a line each: the field that a block of the kind has, and the module that holds all that is known
// of it. A module is loaded for a design that has such a block, before anything else is asked of it:
//
// check(block)                          refuses numbers that cannot be applied
// disguise(block, items, truth, take)   what is sent in place of the true answers to the items asked
// factors(block)                        gamma is the product of these {over, under}
// odds(block)                           the same of what it hides, where an answer stays open
// open(block)                           the names of that answer and of the others
// told(blocks)                          what becomes of one answer, in frequencies: texts with their figures
// others(block, item)                   the share [over, under] of people with another answer who send this `code`, too
// words                                 in both languages: `how` it disguises; a `note` of the whole block on the receipt;
//                                       which answer is `open`, and then what all answers `together` tell of the others,
//                                       and the same in chances, `believed`
// note(block)                           the figures of that note, where there is one

import { insist } from './chances.js';

const KINDS = {
  keep: () => import('./kinds/coin.js'),
  flips: () => import('./kinds/flips.js'),
  'one-sided': () => import('./kinds/one-sided.js'),
};
const loaded = {};

const fieldsOf = (block) => Object.keys(KINDS).filter((field) => field in block);

export const loadKinds = ({ blocks }) => Promise.all(blocks.flatMap(fieldsOf).map(async (field) => {
  loaded[field] ??= await KINDS[field]();
}));

export function kindOf(block) {
  const [field, ...others] = fieldsOf(block);
  insist(loaded[field] && !others.length, 'a block is of no kind that is known here');
  return loaded[field];
}
