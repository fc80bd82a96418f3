// The questionnaire as published: fetched as bytes, held against the hash in the link, then understood.

import { gamma } from './protection.js';

export class Stop extends Error {}

const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const sha256 = async (bytes) => hex(await crypto.subtle.digest('SHA-256', bytes));

/** What the link carries after '#', where no server sees it: v, the questionnaire's hash; i, an invitation. */
export function readLink(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  return { hash: parts.get('v')?.toLowerCase() ?? null, secret: parts.get('i') };
}

/** Fetch and check. Stops with the name of the reason: a key of the words. */
export async function load(link) {
  const answer = await fetch('questionnaire', { cache: 'no-store', redirect: 'error' }).catch(() => {
    throw new Stop('unreachable');
  });
  if (!answer.ok) throw new Stop({ 403: 'notOpen', 404: 'notFound', 410: 'closed' }[answer.status] ?? 'unreachable');
  const bytes = await answer.arrayBuffer();
  const version = await sha256(bytes);
  if (link.hash !== null && link.hash !== version) throw new Stop('wrongHash');
  const definition = parse(bytes);
  if (definition.access === 'invitation' && !(link.hash && link.secret)) throw new Stop('invitation');
  return { definition, version, checked: link.hash !== null, gamma: gamma(definition.design) };
}

function parse(bytes) {
  try {
    const definition = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (definition.candor !== 1) throw new Error('another format');
    definition.items = locate(definition);
    return definition;
  } catch {
    throw new Stop('malformed');
  }
}

export const questionsOf = (definition) => definition.pages.flatMap((page) => page.questions);

/** For every item of the design, in order, where it is asked: its question, its part of it, its place. */
function locate(definition) {
  const asking = new Map();
  const open = new Set();
  for (const question of questionsOf(definition)) {
    // What is shown must never depend on a sensitive answer, and what is to be disguised is always shown.
    if (question.when && (question.sensitive || !open.has(question.when.question))) throw new Error('a condition on the truth');
    if (!question.sensitive) open.add(question.id);
    else if (question.type === 'several') question.items.forEach((part) => asking.set(part.id, { question, part }));
    else asking.set(question.id, { question, part: null });
  }
  const items = definition.design.blocks.flatMap((block, number) =>
    block.items.map((item, place) => ({ ...item, block, number, place, ...asking.get(item.id) })));
  if (items.some((item) => !item.question) || items.length !== asking.size) throw new Error('design and questions differ');
  return items;
}
