// A one-sided block leaves one of your two answers open: that one, the `harmless` one, is turned into the other with the
// chance `one-sided`, each for itself; the other always stays. So the other may come from anybody.

import { insist, isWhole, ONE } from '../chances.js';

export function check({ 'one-sided': turned, items }) {
  insist(isWhole(turned, 1, ONE), 'a harmless answer is turned with no chance above 0 and up to 1');
  const isMarked = ({ options, harmless }) => `${options}` === '0,1' && options.includes(harmless);
  insist(items.every(isMarked), 'a question has no harmless answer');
}

/** A word for every answer, used or not. */
export const disguise = ({ 'one-sided': turned }, items, truth, take) =>
  truth.map((answer, place) => (take() < turned ? 1 - items[place].harmless : answer));

/** A harmless answer that is sent rules the other out, unless all are turned. */
export const factors = ({ 'one-sided': turned }) => (turned === ONE ? [] : [{ over: 1n, under: 0n }]);

/** For every question asked, the other answer comes 1 / g times as often from those of whom it is true. */
export const odds = ({ 'one-sided': turned, items, ask = items.length }) =>
  Array(ask).fill({ over: BigInt(ONE), under: BigInt(turned) });

const YES = { en: 'Yes', 'zh-hans': '是' };
const NO = { en: 'No', 'zh-hans': '否' };

export function open({ 'one-sided': turned, items: [{ harmless }] }) {
  const [open, hidden] = harmless === '0' ? [NO, YES] : [YES, NO];
  return { open, hidden, share: turned / ONE };
}

export const noise = ({ 'one-sided': turned }, { code, harmless }) => (code === Number(harmless) ? 0 : turned / ONE);

export const words = {
  how: {
    en: 'At Send chance turns some answers that are not hidden into those that are, and nobody learns which.',
    'zh-hans': '“发送”时，部分不被隐藏的回答会随机变成被隐藏的回答，无人知道是哪些。',
  },
  open: {
    en: '“{open}” is not hidden here: a “{open}” that is sent is true.',
    'zh-hans': '此处“{open}”不被隐藏：凡发送的“{open}”都是真实的。',
  },
  turned: {
    en: 'Chance lets {share} of those who answer “{open}” send “{hidden}”, so nobody can tell whose “{hidden}” is true.',
    'zh-hans': '回答“{open}”的人中，有 {share} 随机改为发送“{hidden}”，因此无法分辨谁的“{hidden}”是真的。',
  },
};
