// Everything random that happens to your answers happens here, in your browser, before anything is sent.
//
// A design says how. Its chances are whole numbers out of 2^32; each decision compares one with a fresh word of your
// browser's cryptographic generator: they are exactly those published. Answers form blocks:
//
// - a coin block keeps your true answers with the chance `keep`; otherwise each is replaced by one drawn from its
//   `noise`, whatever you said (with "coin": "each", every answer has a coin of its own);
// - a flip block turns over some of your yes/no answers, each as likely: `flips` are the chances of none, one, two, …;
// - with `ask`, you are asked only so many questions of the block, picked by chance beforehand.
//
// Answers and the record hold numbers of options (0 no, 1 yes), null where nothing was asked, in the design's order.

const WORDS = 2 ** 32;

/** A random number from 0 to 2^32 - 1. There is no other source. */
export const randomWord = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** Which questions to ask. Drawn once, before the first answer; no secret. */
export function drawAsked(design, take = randomWord) {
  return design.blocks.flatMap((block) => {
    const size = block.items.length;
    return askedOf(block) < size ? choose(askedOf(block), size, take) : Array(size).fill(true);
  });
}

/** The record to send in place of your answers. Called once, when you finish. */
export function disguise(design, answers, asked, take = randomWord) {
  checkDesign(design);
  checkAnswers(design, answers, asked);
  const record = answers.map(() => null);
  let column = 0;
  for (const block of design.blocks) {
    const here = block.items.map((item, place) => ({ item, place: column + place })).filter(({ place }) => asked[place]);
    insist(here.length === askedOf(block), `${here.length} questions of a block were asked, not ${askedOf(block)}`);
    const truth = here.map(({ place }) => answers[place]);
    const sent = block.flips ? flip(block, truth, take) : toss(block, here.map(({ item }) => item), truth, take);
    here.forEach(({ place }, number) => { record[place] = sent[number]; });
    column += block.items.length;
  }
  return record;
}

/** A coin block: the coins, then a word of noise for every answer, used or not. */
function toss(block, items, truth, take) {
  const each = block.coin === 'each';
  const coins = each ? items.map(() => take()) : [take()];
  const noise = items.map((item) => draw(item.noise, take));
  return truth.map((answer, place) => (coins[each ? place : 0] < block.keep ? answer : noise[place]));
}

/** A flip block: how many answers to turn over, then which. */
function flip(block, truth, take) {
  const turned = choose(draw(block.flips, take), truth.length, take);
  return truth.map((answer, place) => (turned[place] ? 1 - answer : answer));
}

/** A number drawn by its share of 2^32: the first at which the shares, added up, exceed the word. */
function draw(shares, take) {
  const word = take();
  let sum = 0;
  return shares.findIndex((share) => word < (sum += share));
}

/** `count` of `size` places, every set as likely: each is chosen by (still to choose) / (still to pass). */
function choose(count, size, take) {
  const chosen = [];
  let left = count;
  for (let rest = size; rest > 0; rest -= 1) {
    chosen.push(below(rest, take) < left);
    left -= chosen.at(-1);
  }
  return chosen;
}

/** A whole number below `bound`, each as likely: a word from the uneven end is drawn again. */
export function below(bound, take = randomWord) {
  for (;;) {
    const word = take();
    if (word < WORDS - (WORDS % bound)) return word % bound;
  }
}

const askedOf = (block) => block.ask ?? block.items.length;

/** Refuse a design that cannot be applied exactly as published. */
export function checkDesign(design) {
  insist(design.of === WORDS, 'its chances are not out of 2^32');
  for (const { items, keep, flips, ask = items.length } of design.blocks) {
    insist(isWhole(ask, 1, items.length), 'a block cannot ask so many questions');
    if (flips) {
      insist(isShares(flips, ask + 1), 'its flips do not add up to 1');
      insist(items.every(({ options }) => options.length === 2), 'only yes/no answers can be turned over');
    } else {
      insist(isWhole(keep, 0, WORDS), 'a coin has no chance between 0 and 1');
      insist(items.every(({ noise, options }) => isShares(noise, options.length)), 'its noise does not add up to 1');
    }
  }
}

/** Refuse answers that do not fit. Errors never tell an answer. */
function checkAnswers(design, answers, asked) {
  const items = design.blocks.flatMap((block) => block.items);
  insist(answers.length === items.length && asked.length === items.length, `there are ${items.length} questions`);
  items.forEach(({ id, options }, place) => {
    const fits = asked[place] ? isWhole(answers[place], 0, options.length - 1) : answers[place] === null;
    insist(fits, `the answer to ${id} is none it can have`);
  });
}

const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

function isShares(shares, count) {
  const whole = Array.isArray(shares) && shares.length === count && shares.every((share) => isWhole(share, 0, WORDS));
  return whole && shares.reduce((sum, share) => sum + share) === WORDS;
}

export function insist(condition, otherwise) {
  if (!condition) throw new RangeError(`This design or these answers cannot be used: ${otherwise}.`);
}
