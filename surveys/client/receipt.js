// The end of the way: sending, the receipt, and every reason why the way stops.

import { percent, say, spoken, told } from './language.js';
import { button, h, icon, show } from './page.js';
import { inWords } from './questions.js';

const ONE = 2 ** 32;

/** While a response is on its way. `wait` is {seconds, hurry} once a try has failed. */
export function sending(session, way, wait, kept) {
  show(say('sending'),
    h('p', { class: 'lead', role: 'status' }, wait ? say('waiting', { seconds: wait.seconds }) : say('sendingText')),
    wait && h('p', {}, say(kept ? 'waitingKept' : 'noStorage')),
    wait && h('div', { class: 'buttons' }, button(say('again'), () => wait.hurry.now())));
}

export function receipt(session, way, sent) {
  const { definition } = session;
  show([icon('done'), ' ', say('thanks')],
    h('p', { class: 'lead' }, say('arrived')),
    told(definition.closing) && h('p', spoken(), told(definition.closing)),
    whatWasSent(session, sent),
    receiptNumber(sent.receipt),
    h('div', { class: 'buttons' }, definition.access === 'open' && button(say('another'), way.another, 'plain')),
    definition.access === 'open' && h('p', { class: 'quiet' }, say('anotherHelp')));
}

/** How likely it is that what was sent for an item is noise. */
function noiseOf({ keep, flips, ask, items }) {
  if (!flips) return 1 - keep / ONE;
  return flips.reduce((sum, share, turned) => sum + turned * (share / ONE), 0) / (ask ?? items.length);
}

/** Line by line what left the device. After a reload only what was disguised is still known here. */
function whatWasSent(session, { direct, record, open = {} }) {
  const { items } = session.definition;
  const codes = items.map((item, place) => [item, record?.[place] ?? null]).filter(([, code]) => code !== null);
  const row = (text, value, chance) => h('tr', {}, h('th', { scope: 'row', ...spoken() }, told(text)), h('td', { dir: 'auto' }, value), h('td', {}, chance));
  const rows = [
    ...codes.map(([item, code]) => row(item.part?.label ?? item.question.text, labelOf(item, code), percent(direct ? 0 : noiseOf(item.block)))),
    ...Object.entries(open).map(([id, given]) => [session.byId.get(id), given]).map(([question, given]) =>
      row(question.text, inWords(question, Array.isArray(given) ? new Set(given) : String(given), session), percent(0))),
  ];
  const some = (test) => !direct && codes.some(([{ block }]) => test(block));
  return h('section', {}, h('h2', {}, say('sent')),
    direct ? h('p', {}, say('sentDirect')) : items.length > 0 && h('p', { class: 'stayed' }, icon('mask'), say('stayed')),
    rows.length > 0 && h('table', {},
      h('thead', {}, h('tr', {}, ['question', 'value', 'chance'].map((key) => h('th', { scope: 'col' }, say(key))))),
      h('tbody', {}, rows)),
    some((block) => !block.flips && block.coin !== 'each') && h('p', { class: 'quiet' }, say('coinNote')),
    some((block) => block.flips) && h('p', { class: 'quiet' }, say('flipNote')));
}

function labelOf({ question, part, options }, code) {
  const value = options[code];
  const option = !part && question.options?.find((one) => one.value === value);
  if (option) return told(option.label);
  return question.type === 'scale' ? value : say(value === '1' ? 'yes' : 'no');
}

/** The number, with a way to ask the server for it. */
export function receiptNumber(number) {
  const status = h('p', { role: 'status' });
  const check = async () => {
    const answer = await fetch(`receipts/${number}`, { credentials: 'omit', cache: 'no-store' }).catch(() => null);
    status.replaceChildren(say(!answer ? 'unreachable' : answer.ok ? 'held' : 'notHeld'));
  };
  return h('section', {}, h('h2', {}, say('receipt')), h('p', {}, h('code', { class: 'receipt' }, number)),
    h('p', { class: 'quiet' }, say('receiptText')), button(say('check'), check, 'plain'), status);
}

/** The way ends here, for the reason named; a receipt kept from before stays at hand. */
export function stopped(reason, way, { dropped, receipt }) {
  show(say(reason), h('p', { class: 'lead' }, say(`${reason}Text`)), h('p', {}, say(dropped ? 'erased' : 'nothingSent')),
    h('div', { class: 'buttons' },
      reason === 'unreachable' && button(say('again'), way.reload),
      reason === 'changed' && button(say('open'), way.openNew)),
    receipt && receiptNumber(receipt));
}
