// What the design of an own draw says in words: what to draw, what each outcome means, and the buttons.
//
// All of it is read from `draw.outcomes`, so who follows these words has the channel of the block.

import {below, randomWord} from '../../chances.js';
import {say} from '../../page.js';

const PEOPLE = {
	mother: 'own.mother',
	father: 'own.father',
	grandmother: 'own.grandmother',
	friend: 'own.friend',
	cousin: 'own.cousin',
	teacher: 'own.teacher',
};

const THING = {asks: 'own.asksAny', lack: 'own.slips'};

/** Of each source what is done, what is asked of it beside a question, the facts that have a name here, and what helps
 * who does not have it. */
const SOURCES = {
	day: {draw: 'own.drawBirthday', asks: 'own.asksDay', facts: PEOPLE, lack: 'own.another'},
	phone: {
		draw: 'own.drawPhone',
		asks: 'own.asksDigit',
		facts: {friend: 'own.phoneOfFriend', relative: 'own.phoneOfRelative'},
		lack: 'own.another',
	},
	digit: {
		draw: 'own.drawDigit',
		many: 'own.drawDigits',
		asks: 'own.asksDigit',
		facts: {note: 'own.note', bill: 'own.bill'},
		lack: 'own.anotherNumber',
	},
	die: {...THING, draw: 'own.drawDie', many: 'own.drawRolls'},
	coin: {...THING, draw: 'own.drawCoin'},
};
const SIDES = {heads: 'own.heads', tails: 'own.tails'};

/** Ways that put a fact beside the question: the names of the buttons that send 0 and 1. */
const COMPARED = {
	crosswise: ['own.same', 'own.differ'],
	extended: ['own.same', 'own.differ'],
	triangular: ['own.none', 'own.least'],
};

export const isCompared = ({way}) => way in COMPARED;

/** Whether people see the fact or its opposite, as it is sent. */
export const LOOKS = ['fact', 'opposite'];

/** What is drawn by lots for one person: how far the circle of labels is turned, which list is seen, and the sides. */
export const drawLots = ({draw}, take = randomWord) => ({
	turn: draw.lot ? below(labelsOf(draw).length, take) : 0,
	look: LOOKS[draw.way === 'extended' ? below(2, take) : 0],
	side: below(2, take),
});

/** What is pressed is sent; with the other list the same words speak for the other answer. */
export const codeOf = (pressed, {look}) => (look === 'opposite' ? 1 - pressed : pressed);

/** All labels, numbers in their order. */
export const labelsOf = ({outcomes}) => inOrder(outcomes.flatMap(({of}) => of));
const inOrder = labels => (labels.every(label => Number(label) >= 0) ? [...labels].sort((a, b) => a - b) : labels);

/** The outcomes as this person has them: after the lot each label is as likely to stand for any. */
export function outcomesFor(draw, {turn}) {
	const circle = labelsOf(draw);
	const moved = label => circle[(circle.indexOf(label) + turn) % circle.length];
	return draw.outcomes.map(({of, says}) => ({says, of: inOrder(of.map(moved))}));
}

/** The labels with which the question beside is answered with yes; in the other look these are the others. */
export const labelsAsked = (draw, lots) =>
	inOrder(
		outcomesFor(draw, lots).flatMap(({of, says}) => (says === (lots.look === 'opposite' ? 'not' : 'fact') ? of : [])),
	);

const inWords = label => say(SIDES[label]) || label;

/** From–to, on one line and in one direction, also between Arabic words: 1–6 and not 6–1. */
const range = (from, to) => `\u2068${from}–\u2060${to}\u2069`;

/** Labels as a list: three numbers or more that follow each other as from–to. */
export function inList(labels) {
	const runs = [];
	for (const label of inOrder(labels)) {
		const run = runs.at(-1);
		if (run && Number(label) === Number(run.at(-1)) + 1) run.push(label);
		else runs.push([label]);
	}
	const said = run => run.map(inWords);
	return runs
		.flatMap(run => (run.length > 2 ? range(said(run)[0], said(run).at(-1)) : said(run)))
		.join(say('own.comma'));
}

/** What helps who does not know or have what is drawn with. */
export const lackOf = ({source}) => say(SOURCES[source].lack);

/** The fact by its name: one that the page knows, or what the author wrote. */
const factOf = ({source, fact}, textOf) => fact && (say(SOURCES[source].facts[fact]) || textOf(fact) || String(fact));

/** The buttons by the code that each sends without a look. */
export const buttonsOf = ({way}) => (COMPARED[way] ?? ['no', 'yes']).map(name => say(name));

const MEANS = {
	truth: 'own.truth',
	opposite: 'own.opposite',
	yes: 'own.pressYes',
	no: 'own.pressNo',
};

/** What is asked of a fact: yes for these labels. */
const asksOf = (draw, labels) => say(SOURCES[draw.source].asks, {list: inList(labels)});

/** How many outcomes a person finds: where each question takes a further one of the same die or number, one more. */
export const countOf = ({draw: {way, source, fact, other = []}, items, ask = items.length}) => {
	const key = fact => JSON.stringify(fact);
	const goesOn = way === 'unrelated' && other.length === 1 && SOURCES[source].many;
	return goesOn && other[0].source === source && key(other[0].fact) === key(fact) ? 1 + ask : 1;
};

/** What is answered instead of each question. */
function insteadOf({draw: {other}}, count, textOf) {
	return count > 1
		? Array.from({length: count - 1}, (_, place) => say('own.instead', {n: place + 2, list: inList(other[0].of)}))
		: other.map(one => say('own.other', {fact: factOf(one, textOf), asks: asksOf(one, one.of)}));
}

/** What each outcome means, a row each: a sentence, or what is said of each question. */
function rowsOf(block, lots, textOf) {
	if (isCompared(block.draw)) return [];
	const count = countOf(block);
	return outcomesFor(block.draw, lots).map(({of, says}) => ({
		means: says,
		labels: count > 1 ? say('own.first', {list: inList(of)}) : inList(of),
		one: inList([inOrder(of)[0]]),
		says: says === 'other' ? insteadOf(block, count, textOf) : say(MEANS[says]),
	}));
}

/** What a person draws with, and the facts that are asked about instead: all are found before the question is seen. */
export const thingsOf = block =>
	block.draw.way === 'unrelated' && countOf(block) === 1 ? [block.draw, ...block.draw.other] : [block.draw];

/** All that a person reads of the draw, as data. */
export function printed(block, lots, textOf = text => text) {
	const {draw} = block;
	const count = countOf(block);
	return {
		draws: thingsOf(block).map(one => ({
			text: count > 1 ? say(SOURCES[one.source].many, {n: count}) : say(SOURCES[one.source].draw),
			fact: factOf(one, textOf),
		})),
		fact: factOf(draw, textOf),
		asks: isCompared(draw) && asksOf(draw, labelsAsked(draw, lots)),
		rows: rowsOf(block, lots, textOf),
		buttons: buttonsOf(draw),
	};
}
