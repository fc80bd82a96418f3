// Which questions are asked: after answers to earlier undisguised ones.

import {insist} from '../../chances.js';
import {questionsOf} from '../../exchange.js';
import {isShown, typeOf} from '../../questionnaire.js';

/** `said` lists what the answer to a question says. */
export function holds({question, is, all, any}, said) {
	if (question) return is.some(value => said(question).includes(value));
	return all ? all.every(part => holds(part, said)) : any.some(part => holds(part, said));
}

let known; // what questions say to one condition

/** A question that is not shown says nothing. */
export function meets(condition, session) {
	const isFirst = !known;
	known ??= new Map();
	const said = name => {
		const [other, answer] = [session.byId.get(name), session.answers.get(name)];
		const own = known.get(name) ?? (answer !== undefined && isShown(other, session) ? typeOf(other).tells(answer) : []);
		known.set(name, own);
		return own;
	};
	try {
		return holds(condition, said);
	} finally {
		if (isFirst) known = undefined;
	}
}

const named = ({question, all, any}) => (question ? [question] : (all ?? any).flatMap(named));

/** What is shown never depends on a sensitive answer, and what is to be disguised is always shown. */
export function ready({definition}) {
	const open = new Set();
	for (const {id, sensitive, when} of questionsOf(definition)) {
		insist(!when || (!sensitive && named(when).every(name => open.has(name))), 'a condition tells an answer');
		if (!sensitive) open.add(id);
	}
}
