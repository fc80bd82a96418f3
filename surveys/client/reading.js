// Asks for the questionnaire, and for the modules of the kinds and types that it uses while the rest of the page is still
// on its way. Whether it is that of the link is judged later; only modules of this page can be loaded.

import { loadKinds } from './kinds.js';
import { loadTypes } from './types.js';

export const questionsOf = ({ pages }) => pages.flatMap(({ questions }) => questions);

/** What came: {bytes, definition}, without a definition where it cannot be understood; or the {answer} without them. */
export async function read() {
  const answer = await fetch('questionnaire').catch(() => ({}));
  const bytes = answer.ok && await answer.arrayBuffer().catch(() => null);
  if (!bytes) return { answer };
  try {
    const definition = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const used = [loadKinds(definition.design), loadTypes(questionsOf(definition)),
      definition.comprehension && import('./comprehension/comprehension.js'),
      (definition.lot ?? definition.anchor ?? definition.arms) && import('./checks/checks.js')];
    return await Promise.all(used).then(() => ({ bytes, definition }), () => ({ answer: {} }));
  } catch {
    return { bytes };
  }
}

export const early = globalThis.isSecureContext && read(); // elsewhere nothing is asked for
