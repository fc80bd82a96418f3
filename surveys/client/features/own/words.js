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

const BIRTHDAY = {draw: 'own.drawBirthday', facts: PEOPLE, lack: 'own.another'};
const NUMBERS = {facts: {note: 'own.note', bill: 'own.bill'}, lack: 'own.anotherNumber'};
const THING = {asks: 'own.asksAny', lack: 'own.slips'};

/** Of each source what is done, what is asked of it beside a question, the facts that have a name here, and what helps
 * who does not have it. */
const SOURCES = {
	day: {...BIRTHDAY, asks: 'own.asksDay'},
	month: {...BIRTHDAY, asks: 'own.asksMonth'},
	house: {
		draw: 'own.drawHouse',
		asks: 'own.asksDigit',
		facts: {friend: 'own.houseOfFriend', relative: 'own.houseOfRelative'},
		lack: 'own.another',
	},
	phone: {
		draw: 'own.drawPhone',
		asks: 'own.asksDigit',
		facts: {friend: 'own.phoneOfFriend', relative: 'own.phoneOfRelative'},
		lack: 'own.another',
	},
	digit: {...NUMBERS, draw: 'own.drawDigit', asks: 'own.asksDigit'},
	digits: {...NUMBERS, draw: 'own.drawDigits', asks: 'own.asksAny'},
	die: {...THING, draw: 'own.drawDie'},
	dice: {...THING, draw: 'own.drawDice'},
	coin: {...THING, draw: 'own.drawCoin'},
	cards: {...THING, draw: 'own.drawCards'},
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
	others: (draw.other ?? []).map(one => (one.lot ? below(sizeOf(one), take) : 0)),
	look: LOOKS[draw.way === 'extended' ? below(2, take) : 0],
	side: below(2, take),
});

/** What is pressed is sent; with the other list the same words speak for the other answer. */
export const codeOf = (pressed, {look}) => (look === 'opposite' ? 1 - pressed : pressed);

/** The least and the largest outcome of each source of numbers, of which a lot may turn a window. */
const ENDS = {day: [1, 31], month: [1, 12], house: [1, 9], phone: [0, 9], digit: [0, 9], digits: [0, 99]};
const sizeOf = ({source}) => ENDS[source][1] - ENDS[source][0] + 1;

/** The window of another fact as this person has it: each outcome is as likely to be in it as any. */
function windowOf(other, turn) {
	if (!turn) return other.of;
	const [first] = ENDS[other.source];
	const moved = label => first + ((label - first + turn) % sizeOf(other));
	return other.of.map(label => String(moved(Number(label))).padStart(other.source === 'digits' ? 2 : 1, '0'));
}

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

const inWords = ({source}, label) =>
	source === 'month'
		? new Intl.DateTimeFormat(document.documentElement.lang, {month: 'long'}).format(new Date(2000, label - 1))
		: say(SIDES[label]) || label;

/** From–to, on one line and in one direction, also between Arabic words: 1–6 and not 6–1. */
const range = (from, to) => `\u2068${from}–\u2060${to}\u2069`;

/** Labels as a list: three numbers or more that follow each other as from–to, and a card of all suits by its rank. */
export function inList(draw, labels) {
	const runs = [];
	for (const label of draw.source === 'cards' ? byRank(labels) : inOrder(labels)) {
		const run = runs.at(-1);
		if (run && Number(label) === Number(run.at(-1)) + 1) run.push(label);
		else runs.push([label]);
	}
	const said = run => run.map(label => inWords(draw, label));
	return runs
		.flatMap(run => (run.length > 2 ? range(said(run)[0], said(run).at(-1)) : said(run)))
		.join(say('own.comma'));
}

const SUITS = [...'♣♦♥♠'];

const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];

/** Cards in the order of a pack, where all four suits are here the rank alone. */
function byRank(labels) {
	const found = new Set(labels.map(label => label.replace(/[♣♦♥♠]$/, '')));
	const ranks = [...found].sort((one, other) => RANKS.indexOf(one) - RANKS.indexOf(other));
	return [...ranks].flatMap(rank => {
		const own = SUITS.map(suit => rank + suit).filter(label => labels.includes(label));
		return own.length === SUITS.length ? [rank] : own.length ? own : [rank];
	});
}

/** What helps who does not know or have what is drawn with. */
export const lackOf = ({source}) => say(SOURCES[source].lack);

/** The fact by its name: one that the page knows, or what the author wrote. */
const factOf = ({source, fact}, textOf) => fact && (say(SOURCES[source].facts[fact]) || textOf(fact) || String(fact));

/** The buttons by the code that each sends without a look. */
export const buttonsOf = ({way}) =>
	COMPARED[way]?.map(name => say(name)) ?? (way === 'kuk' ? COLOURS : ['no', 'yes']).map(name => say(name));

const COLOURS = ['own.black', 'own.red'];

const MEANS = {
	truth: 'own.truth',
	opposite: 'own.opposite',
	yes: 'own.pressYes',
	no: 'own.pressNo',
	coins: 'own.coins',
};

/** What is asked of a fact: yes for these labels. */
const asksOf = (draw, labels) => say(SOURCES[draw.source].asks, {list: inList(draw, labels)});

/** What each outcome means, a row each: a sentence, or what is said of each question. */
function rowsOf(draw, lots, textOf) {
	if (isCompared(draw)) return [];
	const {way, other = []} = draw;
	const signs = way === 'signs' ? ['own.turned', 'own.asIs'] : ['no', 'yes'];
	const row = ({of, says}) => ({
		means: says,
		labels: inList(draw, of),
		one: inList(draw, [inOrder(of)[0]]),
		says: Array.isArray(says)
			? says.map(code => say(signs[code]))
			: says === 'other'
				? other.map((one, place) =>
						say('own.other', {
							fact: factOf(one, textOf),
							asks: asksOf(one, windowOf(one, lots.others?.[place])),
						}),
					)
				: say(way === 'kuk' ? {yes: COLOURS[1], no: COLOURS[0]}[says] : MEANS[says]),
	});
	const packs = way === 'kuk' ? [draw, {outcomes: packOf(other[0])}] : [draw];
	return packs.flatMap((one, pack) =>
		outcomesFor({...draw, ...one}, lots).map(outcome => ({
			...row(outcome),
			...(way === 'kuk' && {pack: say(['own.ifYes', 'own.ifNo'][pack])}),
		})),
	);
}

/** The pack of those whose answer is no. */
const packOf = ({of, rest}) => [
	{of, says: 'yes'},
	{of: rest ?? [], says: 'no'},
];

/** What a person draws with, and the facts that are asked about instead: all are found before the question is seen. */
export const thingsOf = draw => [draw, ...(draw.way === 'unrelated' ? draw.other : [])];

/** All that a person reads of the draw, as data. */
export function printed({draw}, lots, textOf = text => text) {
	return {
		draws: thingsOf(draw).map(one => ({
			text: say(draw.way === 'kuk' ? 'own.drawPacks' : SOURCES[one.source].draw),
			fact: one.source === 'cards' ? say('own.cardsOf', {list: inList(one, labelsOf(one))}) : factOf(one, textOf),
		})),
		fact: factOf(draw, textOf),
		asks: isCompared(draw) && asksOf(draw, labelsAsked(draw, lots)),
		rows: rowsOf(draw, lots, textOf),
		buttons: buttonsOf(draw),
	};
}
