// Pictures of an own draw, made from its outcomes: all that can be drawn, with what counts, and what a button says.

import {svg} from '../../page.js';
import {isCompared, labelsAsked, labelsOf, outcomesFor} from './words.js';

const ROWS = {day: 7, month: 4, dice: 6, cards: 13, digits: 10};
const SIZE = 24;

/** A cell for each outcome, in rows as in a calendar; filled where the question beside is answered with yes, or where
 * the truth is asked for. The words beside say the same. */
export function picture(draw, lots) {
	const filled = new Set(
		isCompared(draw)
			? labelsAsked(draw, lots)
			: outcomesFor(draw, lots).flatMap(({of, says}) => (isTruth(draw, says) ? of : [])),
	);
	const labels = labelsOf(draw);
	const wide = Math.min(ROWS[draw.source] ?? 10, labels.length);
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

/** Whether an outcome asks for the truth to all; of a pack whose cards have colours, whether it is red. */
const isTruth = ({way}, says) => says === (way === 'kuk' ? 'yes' : 'truth') || (way === 'signs' && says.every(Boolean));

const text = label =>
	svg('text', {x: SIZE / 2, y: SIZE / 2 + 4, 'text-anchor': 'middle', 'font-size': label.length > 2 ? 7 : 10}, label);

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
