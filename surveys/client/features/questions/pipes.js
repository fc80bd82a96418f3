// Answers in later texts: {job} stands for the undisguised answer to the question "job", or, where there is none, for
// what the question says instead. What comes of it is text, and never markup.

import {insist} from '../../chances.js';
import {questionsOf} from '../../exchange.js';
import {textOf} from '../../page.js';
import {isShown, loadTypes, typeOf} from '../../questionnaire.js';

const LONGEST = 100; // letters of an answer

/** The words of an answer, or others, in a direction of their own. */
function wordsOf(name, otherwise, session) {
	const [other, answer] = [session.byId.get(name), session.answers.get(name)];
	const words = answer && isShown(other, session) ? typeOf(other).inWords(other, answer, session) : textOf(otherwise);
	const letters = [...`${words}`];
	return `\u2068${letters.slice(0, LONGEST).join('')}${letters.length > LONGEST ? '…' : ''}\u2069`;
}

/** Whenever these texts are read, they say what was answered until then. */
export async function ready(session) {
	const questions = questionsOf(session.definition);
	const open = new Set(questions.filter(({sensitive, items}) => !sensitive && !items).map(({id}) => id));
	for (const {pipes = {}, ...question} of questions) {
		const otherwise = new Map(Object.entries(pipes));
		insist(
			[...otherwise.keys()].every(name => open.has(name)),
			'a text names an answer that may not stand in it',
		);
		const said = words =>
			words.replace(/\{([a-z][a-z0-9_-]*)\}/g, (braces, name) =>
				otherwise.has(name) ? wordsOf(name, otherwise.get(name), session) : braces,
			);
		const {text, help, options = [], items = []} = question;
		for (const texts of [text, help, ...[...options, ...items].map(({label}) => label)]) {
			for (const [tag, words] of Object.entries((otherwise.size && texts) || {}))
				Object.defineProperty(texts, tag, {get: () => said(words)});
		}
	}
	// What an address says or the device draws is answered before the first page.
	if (questions.some(({parameter, chances}) => parameter || chances)) await loadTypes(questions);
}
