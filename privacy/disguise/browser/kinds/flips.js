// A flip block turns over some of your yes/no answers, each set of so many as likely: `flips` are the chances of none,
// one, two, and so on.

import { choose, draw, insist, isShares, ONE, product } from '../chances.js';

export function check({ flips, items, ask = items.length }) {
  insist(isShares(flips, ask + 1), 'its flips do not add up to 1');
  insist(items.every(({ options }) => options.length === 2), 'only yes/no answers can be turned over');
}

/** How many answers to turn over, then which. */
export function disguise({ flips }, items, truth, take) {
  const turned = choose(draw(flips, take), truth.length, take);
  return truth.map((answer, place) => (turned[place] ? 1 - answer : answer));
}

/** The largest over the smallest chance of one set of turned answers: flips[d] is shared by C(s, d) sets; over `all`. */
export function factors({ flips }) {
  const sets = [1n];
  flips.slice(1).forEach((_, d) => sets.push((sets[d] * BigInt(flips.length - 1 - d)) / BigInt(d + 1)));
  const all = product(sets);
  const chances = flips.map((share, d) => (BigInt(share) * all) / sets[d]).sort((a, b) => (a < b ? -1 : 1));
  return [{ over: chances.at(-1), under: chances[0] }];
}

/** The mean share of the answers that is turned over. */
export const noise = ({ flips }) => flips.reduce((sum, share, turned) => sum + turned * (share / ONE), 0) / (flips.length - 1);

export const words = {
  how: {
    en: 'At Send chance turns some of your answers over, and nobody learns which.',
    'zh-hans': '“发送”时随机翻转您的部分回答，无人知道是哪些。',
  },
};
