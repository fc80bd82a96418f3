// The kinds of block, a line each: the field that a block of the kind has, and the module that holds all that is known
// of it (kinds/README.md). A module is loaded for a design that has such a block, before anything is asked of it.

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
