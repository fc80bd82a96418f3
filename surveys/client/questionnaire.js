// The questionnaire as published: fetched as bytes, held against the hash in the link, then understood.

import { gamma } from './protection.js';

/** The way ends here; the message is the reason, a key of the words. */
export class Stop extends Error {}

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const sha256 = async (bytes) => hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

/** What the link carries after '#', where no server sees it: v, the questionnaire's hash; i, an invitation. */
export function readLink(fragment) {
  const parts = new URLSearchParams(fragment.slice(1));
  return { hash: parts.get('v')?.toLowerCase(), secret: parts.get('i') };
}

export async function load({ hash, secret }) {
  const answer = await fetch('questionnaire').catch(() => ({}));
  if (!answer.ok) throw new Stop({ 403: 'notOpen', 404: 'notFound', 410: 'closed' }[answer.status] ?? 'unreachable');
  const bytes = await answer.arrayBuffer();
  const version = await sha256(bytes);
  if (hash != null && hash !== version) throw new Stop('wrongHash');
  const definition = understand(bytes);
  if (definition.access === 'invitation' && !(hash && secret)) throw new Stop('invitation');
  return { definition, design: definition.design, version, checked: hash != null, gamma: gamma(definition.design) };
}

export const questionsOf = (definition) => definition.pages.flatMap((page) => page.questions);

function understand(bytes) {
  try {
    const definition = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (definition.candor !== 1) throw new Error('another format');
    return { ...definition, items: locate(definition) };
  } catch {
    throw new Stop('malformed');
  }
}

/** Every item of the design, in order, with its block, its question and, of several, its part of the question. */
function locate(definition) {
  const asking = new Map();
  const open = new Set();
  for (const question of questionsOf(definition)) {
    // What is shown must never depend on a sensitive answer, and what is to be disguised is always shown.
    if (question.when && (question.sensitive || !open.has(question.when.question))) throw new Error('a condition on the truth');
    if (!question.sensitive) open.add(question.id);
    else if (question.type === 'several') question.items.forEach((part) => asking.set(part.id, { question, part }));
    else asking.set(question.id, { question });
  }
  const items = definition.design.blocks.flatMap((block) =>
    block.items.map((item) => ({ ...item, block, ...asking.get(item.id) })));
  if (items.some((item) => !item.question) || items.length !== asking.size) throw new Error('design and questions differ');
  return items;
}
