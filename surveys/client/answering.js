// The pages of questions, the review, and what becomes of the answers: codes in the design's order, open answers as given.

import { say, spoken, told } from './language.js';
import { button, h, show } from './page.js';
import { inWords, isShown, numberIn, problemOf, questionElement } from './questions.js';

const shownOn = (page, session) => page.questions.filter((question) => isShown(question, session));

const isWrong = (session) => (question) => problemOf(question, session.answers.get(question.id)) !== null;

/** The next page with something to answer, from `start` in steps of `step`; -1 if there is none. */
function pageFrom(start, step, session) {
  const { pages } = session.definition;
  for (let number = start; number >= 0 && number < pages.length; number += step) {
    if (shownOn(pages[number], session).length) return number;
  }
  return -1;
}

/** One page of questions. With `back` the person came from the review, to change the question of that id. */
export function questionPages(session, way, start, back = null) {
  const number = pageFrom(start, 1, session);
  if (number < 0) return way.review();
  const { pages } = session.definition;
  const page = pages[number];
  const elements = page.questions.map((question) => [question, questionElement(question, session, refresh)]);
  const counted = pages.filter((one) => shownOn(one, session).length);

  function refresh() {
    elements.forEach(([question, element]) => { element.hidden = !isShown(question, session); });
  }

  function next() {
    const wrong = elements.filter(([question, element]) => !element.hidden && isWrong(session)(question));
    wrong.forEach(([question, element]) => element.complain(problemOf(question, session.answers.get(question.id))));
    if (wrong.length) {
      wrong[0][1].querySelector('input, textarea').focus();
    } else if (back) way.review();
    else way.questions(number + 1);
  }

  function previous() {
    const before = pageFrom(number - 1, -1, session);
    if (before < 0) way.start();
    else way.questions(before);
  }

  refresh();
  const at = counted.indexOf(page) + 1;
  show(
    page.title ? h('span', spoken(), told(page.title)) : say('questions'),
    counted.length > 1 && h('p', { class: 'steps' }, say('page', { page: at, pages: counted.length }),
      h('progress', { max: counted.length, value: at, 'aria-hidden': 'true' })),
    h('form', { autocomplete: 'off', novalidate: true, submit: (event) => { event.preventDefault(); next(); } },
      elements.map(([, element]) => element),
      h('div', { class: 'buttons' }, h('button', { class: 'main' }, say('next')), !back && button(say('back'), previous, 'plain'))),
  );
  if (back) document.querySelector(`#q-${back} input, #q-${back} textarea`).focus();
}

/** Everything once more, on this device only; the first page that lacks something comes before it. */
export function review(session, way) {
  const { pages } = session.definition;
  const lacking = pages.findIndex((page) => shownOn(page, session).some(isWrong(session)));
  if (lacking >= 0) return way.questions(lacking);
  const rows = pages.flatMap((page, number) => shownOn(page, session).map((question) => h('div', {},
    h('dt', spoken(), told(question.text)),
    h('dd', {}, h('span', { dir: 'auto' }, inWords(question, session.answers.get(question.id), session))),
    h('dd', {}, h('button', { type: 'button', class: 'link', 'aria-label': `${say('change')}: ${told(question.text)}`,
      click: () => way.questions(number, question.id) }, say('change'))))));
  const disguising = !session.direct && session.definition.items.length;
  show(say('review'),
    h('p', { class: 'lead' }, say('reviewNote')),
    session.direct && h('p', { class: 'caution' }, say('reviewDirect')),
    h('dl', { class: 'review' }, rows),
    !session.durable && h('p', { class: 'caution' }, say('noStorage')),
    h('div', { class: 'buttons' }, button(say(disguising ? 'sendDisguised' : 'send'), (event) => {
      event.target.disabled = true;
      way.send();
    }), button(say('back'), () => way.questions(pageFrom(pages.length - 1, -1, session)), 'plain')));
}

/** The true answers to the sensitive questions, as codes in the design's order. They go into the disguise, nowhere else. */
export const truth = ({ definition, answers, isAsked }) => definition.items.map(({ id, options, question, part }) => {
  if (!isAsked(id)) return null;
  return part ? Number(answers.get(question.id)?.has(id) ?? false) : options.indexOf(answers.get(question.id));
});

/** The open answers of the questions that are shown: text without control characters and half letters, numbers as numbers. */
export function openAnswers(session) {
  const open = {};
  for (const question of session.definition.pages.flatMap((page) => page.questions)) {
    const answer = session.answers.get(question.id);
    if (question.sensitive || !isShown(question, session) || !(answer?.size ?? answer)) continue;
    if (question.type === 'several') open[question.id] = question.items.map((item) => item.id).filter((id) => answer.has(id));
    else if (question.type === 'number') open[question.id] = numberIn(answer);
    else open[question.id] = answer.replace(/\p{Cc}/gu, ' ').replace(/\p{Cs}/gu, '\ufffd');
  }
  return open;
}
