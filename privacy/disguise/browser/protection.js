// How much a record can tell about a person, worked out in the browser from the design itself.
//
// gamma is the largest factor by which a disguised record can change the odds between two true answers (Evfimievski,
// Gehrke and Srikant 2003). Blocks are disguised apart, so their factors multiply; a sampled block counts by the asked
// items that protect least. Exact; only the last step rounds, and upwards.

import { checkDesign } from './disguise.js';

const ONE = 2n ** 32n;

/** Infinity where some record would give an answer away for certain. */
export function gamma(design) {
  checkDesign(design);
  const factors = design.blocks.flatMap((block) => (block.flips ? [ofFlips(block.flips.map(BigInt))] : ofCoins(block)));
  return upwards(product(factors.map(({ over }) => over)), product(factors.map(({ under }) => under)));
}

const product = (numbers) => numbers.reduce((result, one) => result * one, 1n);

/** How sure someone can become who gave it 5 %: gamma / (19 + gamma), exactly, rounded up to whole percent. */
export function sure(gamma) {
  if (gamma > 1e6) return 1;
  const over = BigInt(gamma * 2 ** 53);
  const under = over + (19n << 53n);
  return Number((100n * over + under - 1n) / under) / 100;
}

/** 1 + keep / ((1 - keep) * rarest), `rarest` the chance of the least likely noise; with a coin each, for each item. */
function ofCoins({ items, keep, ask = items.length, coin }) {
  const least = items.map(({ noise }) => BigInt(Math.min(...noise))).sort((a, b) => Number(a - b)).slice(0, ask);
  const kept = BigInt(keep);
  if (kept === 0n) return [];
  const factor = (rarest, of) => ({ over: (ONE - kept) * rarest + kept * of, under: (ONE - kept) * rarest });
  if (coin === 'each') return least.map((share) => factor(share, ONE));
  return [factor(product(least), ONE ** BigInt(least.length))];
}

/** The largest over the smallest chance of one set of turned answers: flips[d] is shared by C(s, d) sets; over `all`. */
function ofFlips(flips) {
  const sets = [1n];
  flips.slice(1).forEach((_, d) => sets.push((sets[d] * BigInt(flips.length - 1 - d)) / BigInt(d + 1)));
  const all = product(sets);
  const chances = flips.map((share, d) => (share * all) / sets[d]).sort((a, b) => (a < b ? -1 : 1));
  return { over: chances.at(-1), under: chances[0] };
}

/** The least floating-point number, of 53 binary digits, not below over / under. */
function upwards(over, under) {
  if (under === 0n) return Infinity;
  const scaled = ((over << 53n) + under - 1n) / under; // over is not below under: at least 54 binary digits
  const rest = BigInt(scaled.toString(2).length - 53);
  return Number(-(-scaled >> rest) << rest) / 2 ** 53;
}
