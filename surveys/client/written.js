// What is written into a field.

import { say } from './language.js';
import { missing } from './options.js';
import { h } from './page.js';

/**
 * A type whose answer is a text; `attributes` of its field, with rows if it is long; `measure`: what `min` and `max`
 * bound, undefined for a text that is none of its type, of which `wrong` tells. The server takes whatever passes here.
 */
export const written = (attributes, measure, wrong, most) => ({
  isField: true,
  problem(question, answer) {
    if (!answer) return missing(question, answer);
    const { min, max = most } = question;
    const given = measure(answer);
    if (given === undefined) return [wrong];
    return given < (min ?? given) || given > (max ?? given) ? ['outside', { min: min ?? '…', max: max ?? '…' }] : null;
  },
  inWords: (question, answer) => answer || say('nothing'),
  /** Spelling checkers may send what is written to their maker: off. */
  controls(question, session, give, described) {
    const own = attributes(question);
    const field = h(own.rows ? 'textarea' : 'input', {
      ...own, ...described, class: 'field', id: `q-${question.id}-field`, spellcheck: 'false', input: ({ target }) => give(target.value),
    });
    field.value = session.answers.get(question.id) ?? '';
    return field;
  },
});
