// Pictures of an own draw, made from its outcomes: all that can be drawn, with what counts, and what a button says.

import {svg} from '../../page.js';
import {countOf, inList, isCompared, labelsAsked, labelsOf, outcomesFor, thingsOf} from './words.js';

const SIZE = 24;

/** A cell for each outcome, in rows as in a calendar; filled where the question beside is answered with yes, or where
 * the truth is asked for. The words beside say the same. */
export function picture(draw, lots) {
	const filled = new Set(
		isCompared(draw)
			? labelsAsked(draw, lots)
			: outcomesFor(draw, lots).flatMap(({of, says}) => (says === 'truth' ? of : [])),
	);
	const labels = labelsOf(draw);
	const wide = Math.min(draw.source === 'day' ? 7 : 10, labels.length);
	const high = Math.ceil(labels.length / wide);
	const cell = (label, place) => {
		const [x, y] = [(place % wide) * SIZE, Math.floor(place / wide) * SIZE];
		return svg('g', {class: filled.has(label) && 'counts', transform: `translate(${x} ${y})`}, [
			svg('rect', {x: 1, y: 1, width: SIZE - 2, height: SIZE - 2, rx: 4}),
			...(draw.source === 'die' ? pips(label) : [text(label)]),
		]);
	};
	return svg(
		'svg',
		{class: 'drawn', viewBox: `0 0 ${wide * SIZE} ${high * SIZE}`, width: wide * 30, 'aria-hidden': 'true'},
		labels.map(cell),
	);
}

const text = label =>
	svg('text', {x: SIZE / 2, y: SIZE / 2 + 4, 'text-anchor': 'middle', 'font-size': label.length > 2 ? 7 : 10}, label);

/** The steps as pictures, one each: what is drawn, what each outcome means, and the two buttons. */
export const stepPictures = (block, lots) => [
	things(block),
	isCompared(block.draw) ? picture(block.draw, lots) : meanings(block.draw, lots),
	scene(
		36,
		[0, 1].flatMap(button => [box(4 + 56 * button, 4, 48, 28), ...mouth(28 + 56 * button, 18)]),
	),
];

const scene = (high, drawn, wide = 112) =>
	svg('svg', {class: 'drawn', viewBox: `0 0 ${wide} ${high}`, width: wide, 'aria-hidden': 'true'}, drawn);
const box = (x, y, width, height, more = {}) => svg('rect', {x, y, width, height, rx: 4, ...more});
const path = (x, y, d) => svg('path', {d, transform: `translate(${x} ${y})`});
const word = (x, y, said, size = 12) => svg('text', {x, y, 'text-anchor': 'middle', 'font-size': size}, said);
/** What is pressed: the same on both buttons, as neither is right or wrong. */
const mouth = (x, y) => [-8, 0, 8].map(by => svg('circle', {cx: x + by, cy: y, r: 2}));
const dieFace = (x, y, label) => svg('g', {transform: `translate(${x} ${y})`}, [box(0, 0, SIZE, SIZE), ...pips(label)]);
/** A number of which these digits count, bold: so many before the last one, or the last one alone. */
const digitsOf = isBold =>
	[0, 1, 2, 3, 4].map(at => box(12 + 18 * at, 18, 16, 22, {'stroke-width': isBold(4 - at) ? 3 : 1}));

/** What is drawn with, or asked about, by its source. */
const THINGS = {
	day: () => [box(40, 12, 32, 36), path(40, 20, 'M0 0h32'), word(56, 40, '1–31', 11)],
	die: draw => [dieFace(44, 16, labelsOf(draw).at(-1))],
	coin: () => [
		svg('circle', {class: 'open', cx: 40, cy: 28, r: 14}),
		svg('circle', {class: 'open', cx: 72, cy: 28, r: 14}),
	],
	digit: (_draw, count) => digitsOf(after => after > 0 && after <= count),
	phone: () => digitsOf(after => after === 0),
};
/** One under the other, as the words beside have them. */
function things(block) {
	const all = thingsOf(block);
	const shown = one => (one.outcomes ? one : {outcomes: [one]});
	const under = (one, place) =>
		svg('g', {transform: `translate(0 ${56 * place})`}, THINGS[one.source](shown(one), countOf(block)));
	return scene(56 * all.length, all.map(under));
}

/** A line for each outcome: what was drawn, and what it says of the one question of the example. */
function meanings(draw, lots) {
	const rows = outcomesFor(draw, lots);
	const line = ({of, says}, place) => {
		const y = 26 * place;
		const faces =
			draw.source === 'die' && of.length < 4
				? of.map((label, at) => dieFace(26 * at, y, label))
				: [word(38, y + 17, shortly(of), 10)];
		return [...faces, path(82, y + 12, ARROW), ...signs(says, y)];
	};
	return scene(26 * rows.length, rows.flatMap(line), 128);
}
/** Outcomes as the table beside has them, cut where they are many. */
function shortly(of) {
	const said = inList(of).replaceAll(/[\u2060\u2068\u2069]/g, '');
	return said.length < 13 ? said : `${of[0]} …`;
}

/** What an outcome says: a person for the truth, arrows for its opposite, a tick or a cross, a calendar. */
function signs(says, y) {
	if (says === 'yes' || says === 'no') return [path(100, y, says === 'yes' ? TICK : CROSS)];
	if (says === 'other') return [box(102, y + 3, 18, 18), path(102, y + 8, 'M0 0h18')];
	return [path(102, y + 12, says === 'opposite' ? TURNED : PERSON)];
}
const ARROW = 'M0 0h12m-4-4l4 4-4 4';
const PERSON = 'M4-6a4 4 0 1 0 8 0a4 4 0 1 0-8 0M0 9c0-8 16-8 16 0';
const TURNED = 'M0-3h14m-4-4l4 4-4 4M14 4H0m4-4l-4 4 4 4';

/** The points of a die: at the corners, at the sides, in the middle. */
const PIPS = ['', '4', '08', '048', '0268', '02468', '023568'];

const pips = label =>
	[...PIPS[label]].map(place => svg('circle', {cx: 6 + 6 * (place % 3), cy: 6 + 6 * Math.floor(place / 3), r: 2}));

const TICK = 'M6 12l4 4 8-9';
const CROSS = 'M7 7l10 10M17 7L7 17';

/** What a button says of A and B: each pair of a tick or a cross that it stands for. */
const PAIRS = {
	same: [
		[true, true],
		[false, false],
	],
	differ: [
		[true, false],
		[false, true],
	],
	none: [[false, false]],
	least: [
		[true, false],
		[false, true],
		[true, true],
	],
};

export function pairPicture(way, code) {
	const pairs = PAIRS[(way === 'triangular' ? ['none', 'least'] : ['same', 'differ'])[code]];
	const box = (isYes, x, y, name) =>
		svg('g', {transform: `translate(${x} ${y})`}, [
			svg('text', {x: 0, y: 17, 'font-size': 14}, name),
			svg('rect', {x: 12, y: 1, width: 22, height: 22, rx: 4}),
			svg('path', {d: isYes ? TICK : CROSS, transform: 'translate(11 0)'}),
		]);
	return svg(
		'svg',
		{class: 'pairs', viewBox: `0 0 84 ${26 * pairs.length}`, height: 26 * pairs.length, 'aria-hidden': 'true'},
		pairs.map(([a, b], line) => [box(a, 2, 26 * line, 'A'), box(b, 46, 26 * line, 'B')]),
	);
}
