// One question about the disguise, before those of the survey. Nobody learns whether it is answered, and how: nothing
// of it is sent or kept.

import {ofPeople} from '../../chances.js';
import {kindOf} from '../../disguise.js';
import {button, gap, h, p, say, show, spoken, textOf} from '../../page.js';
import {typeOf} from '../../questionnaire.js';
import {learn} from '../texts.js';

/** The answers to an item that may be stored, each with how many people would say something else; none where none is
 * sent by itself. */
function answersOf(block, item) {
	const kind = kindOf(block);
	const {options} = item;
	if (!kind.others || block.draw || !(options || kind.example)) return [];
	const codes = !options ? [kind.example(block)] : `${options}` === '0,1' ? [1, 0] : [...options.keys()];
	return codes.map(code => ({code, others: kind.others(block, {...item, code})})).filter(({others}) => others);
}

export const ready = () => learn('comprehension');

/** Whether some block stores answers, of which there is something to ask. */
export const canAsk = ({blocks}) => blocks.some(block => block.items.some(item => answersOf(block, item).length));

/** The first question with options or for a number that this device asks, with its stored answers: those of which
 * nobody can be sure, and those that are true. */
function example({definition, isAsked}) {
	const item = definition.items.find(one => isAsked(one.id) && answersOf(one.block, one).length);
	const {question, part, options, block} = item;
	const answers = answersOf(block, item).map(({code, others}) => ({
		stored: typeOf(question).valueInWords(question, options ? options[code] : kindOf(block).textOf(item, code, block)),
		others,
	}));
	const isOpen = ({others: [over]}) => over === 0n;
	return {
		text: [question.text, part?.label].map(textOf).join(' '),
		hidden: answers.find(one => !isOpen(one)),
		open: answers.filter(isOpen),
	};
}

export function comprehension(session, way) {
	const {
		text,
		hidden: {stored, others},
		open,
	} = example(session);
	const {
		of,
		some: [some],
	} = ofPeople([others]);
	const said = h('p', {class: 'lead', role: 'status'});
	// No disguise under a bound lets anybody be sure of what it hides: another bound than that is not published with
	// this page.
	const answer = isRight =>
		said.replaceChildren(
			say(isRight ? 'comprehension.right' : 'comprehension.wrong'),
			gap(),
			say('comprehension.why', {of, some, stored}),
			...open.flatMap(one => [gap(), say('comprehension.open', one)]),
		);
	show(
		say('comprehension.title'),
		p('', say('comprehension.note')),
		p('', say('comprehension.take')),
		h('p', {...spoken(), class: 'legend'}, text),
		h(
			'div',
			{role: 'group', 'aria-labelledby': 'ask'},
			h('p', {class: 'lead', id: 'ask'}, say('comprehension.ask', {stored})),
			p(
				'buttons',
				button('yes', () => answer(false), 'plain'),
				button('no', () => answer(true), 'plain'),
			),
		),
		said,
		p('buttons', button('next', way.after), button('back', way.before, 'plain')),
	);
	return way.before;
}
