// A number, with a point or a comma.

import { written } from '../written.js';

export const words = {
  wrong: {
    en: 'Please give a number, like 1250 or 1.2500; 1.250 could be either.',
    'zh-hans': '请填写数字，例如 1250 或 1.2500；1.250 有歧义。',
  },
};

/** Undefined where it is no number, or may be two: 1,000 is one here, a thousand there. */
function numberIn(text) {
  const plain = text.trim().normalize('NFKC');
  const isOne = /^(?!\D?[1-9]\d{0,2}[.,]\d{3}$)[-+]?(\d+[.,]?\d*|[.,]\d+)$/.test(plain);
  const number = Number(plain.replace(',', '.'));
  return isOne && Math.abs(number) <= 1e15 ? number : undefined;
}

const field = written(() => ({ inputmode: 'decimal' }), numberIn, words.wrong);

export const { isField, problem, controls } = field;
export const inWords = (question, answer) => numberIn(answer ?? '') ?? field.inWords(question, answer);
export { numberIn as toSend };
