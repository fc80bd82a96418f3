// The kinds of block, a line each. All that is known of a kind stands in its module:
//
// field                                 a block is of the kind whose field it has
// check(block)                          refuses numbers that cannot be applied
// disguise(block, items, truth, take)   what is sent in place of the true answers to the items asked
// factors(block)                        gamma is the product of these {over, under}
// noise(block)                          the chance on the receipt
// words                                 in both languages: `how` it disguises; a `note` of the whole block on the receipt
// note(block)                           the figures of that note, where there is one

export * as coin from './kinds/coin.js';
export * as flips from './kinds/flips.js';
