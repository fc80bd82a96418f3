// The questionnaire: compared with the link and understood; and the types of its questions.

import {insist, kindOf, loadKinds, odds} from './disguise.js';
import {ask, early} from './exchange.js';
import {h, say, spoken, told} from './page.js';

export const questionsOf = ({pages}) => pages.flatMap(({questions}) => questions);

/** The way ends here; the message is a key of the words, the cause what else is known. */
export class Stop extends Error {}

export const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');

export const sha256 = async bytes => hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

/** What no server sees of a link: v, the questionnaire's hash; i, an invitation. */
export function readLink(fragment) {
	const parts = new URLSearchParams(fragment.slice(1));
	return {hash: parts.get('v')?.toLowerCase(), secret: parts.get('i')};
}

/** `begun`: this device holds the invitation from another version. */
export async function load({hash, secret}, begun) {
	if (hash != null && !/^[0-9a-f]{64}$/.test(hash)) throw new Stop('incomplete');
	// What could not be fetched at first is asked for again: a response may have been delivered meanwhile.
	const first = await early;
	const {answer, bytes} = first.bytes || first.answer.status ? first : await ask();
	if (!bytes) {
		const said = await answer.json?.().catch(() => null);
		throw new Stop({403: 'notOpen', 404: 'notFound', 410: 'closed', 503: 'busy'}[answer.status] ?? 'unreachable', {
			cause: {said},
		});
	}
	const version = await sha256(bytes);
	if (hash != null && hash !== version) throw new Stop('wrongHash');
	const source = parsed(bytes);
	const more = await used(source);
	const definition = understand(source);
	if (definition.access === 'invitation' && !(secret && (hash || begun))) throw new Stop('incomplete');
	return {...more, definition, design: definition.design, version, checked: hash != null, gamma: definition.gamma};
}

function parsed(bytes) {
	try {
		return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
	} catch {
		throw new Stop('malformed');
	}
}

/** What few questionnaires need, with the kinds and types of this one. */
async function used(definition) {
	let modules;
	try {
		modules = [
			definition.comprehension && import('./comprehension/comprehension.js'),
			(definition.lot ?? definition.anchor ?? definition.arms) && import('./checks/checks.js'),
			loadKinds(definition.design),
			loadTypes(questionsOf(definition)),
		];
	} catch {
		throw new Stop('malformed'); // it names no kinds or types
	}
	const [comprehension, checks] = await Promise.all(modules).catch(() => {
		throw new Stop('unreachable', {cause: {}});
	});
	return {...comprehension, ...checks};
}

function understand(definition) {
	try {
		insist(definition.candor === 1 && definition.pad > 0 && Intl.getCanonicalLocales(definition.languages).length);
		return {...definition, gamma: odds(definition.design), items: locate(definition)};
	} catch {
		throw new Stop('malformed');
	}
}

/** Every item of the design, with its block, its question and its part of that. */
function locate(definition) {
	const asking = new Map();
	const open = new Map();
	for (const question of questionsOf(definition)) {
		const {id, sensitive, when} = question;
		insist(!open.has(id));
		// What is shown never depends on a sensitive answer, and what is to be disguised is always shown.
		insist(!when || (!sensitive && open.get(when.question)));
		open.set(id, !sensitive);
		const parts = sensitive ? typeOf(question).parts(question) : [];
		for (const part of parts) asking.set(part?.id ?? id, {question, part});
	}
	const items = definition.design.blocks.flatMap(block =>
		block.items.map(item => {
			const {question, part} = asking.get(item.id);
			asking.delete(item.id);
			insist(`${typeOf(question).values(question).sort()}` === `${[...kindOf(block).answers(item)].sort()}`);
			return {...item, block, question, part};
		}),
	);
	insist(!asking.size);
	return items;
}

// Nearly every questionnaire has options with a radio button or a box each, so the types with one answer among them
// stand here.

/** Options or parts as this device has shuffled them, if it has. */
export const ordered = (list, {id}, {orders}) => orders.get(id)?.map(place => list[place]) ?? list;

/** The parts that this device asks, in its order. */
export const partsAsked = (question, session) =>
	ordered(question.items, question, session).filter(({id}) => session.isAsked(id));

/** `isWritten`: the words are those of the questionnaire's author. */
export const option = (attributes, words, isWritten) =>
	h('label', {class: 'option', ...(isWritten && spoken())}, h('input', attributes), h('span', {}, words));

export const missing = ({required, sensitive}, answer) => (!answer && (required || sensitive) ? ['missing'] : null);

export const labelled = ({options}) => options.map(({value, label}) => [value, told(label)]);

export const steps = ({min, max}) =>
	Array.from({length: max - min + 1}, (_, step) => [`${min + step}`, `${min + step}`]);

/** What the first and the last step mean. */
export const ends = ({min, max, ends: named}) =>
	named?.low &&
	h(
		'p',
		{...spoken(), class: 'help'},
		h('bdi', {}, `${min} = ${told(named.low)}`),
		' – ',
		h('bdi', {}, `${max} = ${told(named.high)}`),
	);

/** A type whose answer is one of `optionsOf(question)`, pairs of value and words. */
function oneOf(optionsOf) {
	const valueInWords = (question, value) => optionsOf(question).find(([own]) => own === value)[1];
	return {
		role: 'radiogroup',
		values: question => optionsOf(question).map(([value]) => value),
		valueOf: answer => answer,
		valueInWords,
		problem: missing,
		inWords: (question, answer) => (answer ? valueInWords(question, answer) : say('nothing')),
		controls(question, session, give) {
			const given = session.answers.get(question.id);
			return h(
				'div',
				{class: `options ${question.type}`},
				ordered(optionsOf(question), question, session).map(([value, words]) =>
					option(
						{type: 'radio', name: question.id, value, checked: value === given, change: () => give(value)},
						words,
						question.options,
					),
				),
			);
		},
	};
}

/** One answer among options. */
const choice = oneOf(labelled);

/** A step on a scale of whole numbers, with words at its ends. */
const scale = {...oneOf(steps), note: ends};

/** Yes or no, or with options of its own. */
const yesno = {
	...oneOf(question =>
		question.options
			? labelled(question)
			: [
					['1', say('yes')],
					['0', say('no')],
				],
	),
	plain: true,
};

/** The types of question, a line each: the module that knows it, alone or under its name, comes where it is asked
 * (questions/README.md). */
const TYPES = {
	yesno: () => yesno,
	choice: () => choice,
	scale: () => scale,
	several: () => import('./questions/several.js'),
	matrix: () => import('./questions/matrix.js'),
	place: () => import('./questions/place.js'),
	number: () => import('./questions/written.js'),
	text: () => import('./questions/written.js'),
	date: () => import('./questions/written.js'),
};
const USUAL = {
	parts: () => [null],
	toSend: answer => answer,
	sent: String,
	tells: answer => [answer],
	note: () => null,
};
const loaded = {};

export const loadTypes = questions =>
	Promise.all(
		[...new Set(questions.map(({type}) => type))]
			.filter(type => type in TYPES)
			.map(async type => {
				const module = await TYPES[type]();
				loaded[type] ??= {...USUAL, ...(module[type] ?? module)};
				await loaded[type].load?.();
			}),
	);

export function typeOf({type}) {
	insist(loaded[type], 'a question is of no type that is known here');
	return loaded[type];
}
