// The kinds of block, a line each. All that is known of a kind stands in its module:
//
// field                                 a block is of the kind whose field it has
// check(block)                          refuses numbers that cannot be applied
// disguise(block, items, truth, take)   what is sent in place of the true answers to the items asked
// factors(block)                        gamma is the product of these {over, under}
// odds(block)                           the same of what it hides, where an answer stays open
// open(block)                           the figures of what is said of that answer, and the share that hides the others
// noise(block, item)                    the chance on the receipt, of an item with the `code` that was sent
// words                                 in both languages: `how` it disguises; a `note` of the whole block on the receipt;
//                                       which answer is `open`, and the `promise` for the others
// note(block)                           the figures of that note, where there is one

export * as coin from './kinds/coin.js';
export * as flips from './kinds/flips.js';
export * as oneSided from './kinds/one-sided.js';
