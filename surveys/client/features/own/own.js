// Questions of which people draw the chance themselves, with a birthday, a die or a digit: the draw comes first, then
// the question. What is pressed is sent as it is.

import {insist, ONE} from '../../chances.js';
import {kindOf, odds, sure} from '../../disguise.js';
import {questionsOf} from '../../exchange.js';
import {button, gap, h, p, percent, say, show, style, textOf, written} from '../../page.js';
import {folded, inWords} from '../../promise.js';
import {learn} from '../texts.js';
import {pairPicture, picture, stepPictures} from './picture.js';
import {buttonsOf, codeOf, drawLots, isCompared, lackOf, printed} from './words.js';

const visits = new WeakMap(); // by the answers of a person: another who answers here has other lots

/** What is drawn for one person and block, and which of its pages is shown. */
function visitOf({answers}, block) {
	if (!visits.has(answers)) visits.set(answers, new Map());
	const own = visits.get(answers);
	if (!own.has(block)) own.set(block, {lots: drawLots(block), stage: 'example'});
	return own.get(block);
}

/** The look of this person: one for all questions. It is sent. */
export function lookOf(session) {
	const block = session.design.blocks.find(({draw}) => draw?.way === 'extended');
	return block && (session.look ?? visitOf(session, block).lots.look);
}

const lotsOf = (session, block) => ({
	...visitOf(session, block).lots,
	look: block.draw.way === 'extended' && lookOf(session),
});

/** Such questions get a page of their own for each draw, and answers that are the buttons'. */
export async function ready(session) {
	const {definition, design} = session;
	await Promise.all([learn('own'), style(new URL('own.css', import.meta.url))]);
	const drawn = design.blocks.filter(({draw}) => draw);
	if (drawn.length === design.blocks.length) session.send = 'own.send';
	// What is promised is promised of people.
	session.known = new Set([definition.own.never, ...Object.keys(definition.careless ?? {})]);
	const telling = design.blocks.filter(({draw, items}) => !draw || items.some(({id}) => !session.known.has(id)));
	if (telling.length) session.secrets = {...design, blocks: telling};
	session.gamma = odds(session.secrets);
	const blocks = new Map(drawn.flatMap(block => block.items.map(({id}) => [id, block])));
	const questions = questionsOf(definition);
	const of = block => questions.filter(({id}) => blocks.get(id) === block);
	for (const question of questions.filter(({id}) => blocks.has(id))) {
		insist(!question.options);
		question.asks = typeFor(session, blocks.get(question.id));
	}
	const seen = new Set();
	definition.pages = definition.pages.flatMap(page => {
		const parts = [];
		for (const question of page.questions) {
			const draws = blocks.get(question.id);
			if (draws && !seen.has(draws)) parts.push({title: page.title, draws, questions: of(draws)});
			if (draws) seen.add(draws);
			else if (parts.at(-1)?.draws === undefined && parts.length) parts.at(-1).questions.push(question);
			else parts.push({...page, questions: [question]});
		}
		return parts;
	});
}

/** What such a question has in place of its type: its answer is the code that is sent. */
function typeFor(session, block) {
	const valueInWords = (_question, code) => buttonsOf(block.draw)[codeOf(Number(code), lotsOf(session, block))];
	return {
		mark: 'own.mark',
		parts: () => [null],
		values: () => ['0', '1'],
		valueOf: answer => answer,
		valueInWords,
		problem: (_question, answer) => (answer ? null : ['missing']),
		inWords: valueInWords,
		tells: answer => [answer],
	};
}

const inTurn = ({side}, each) => (side ? [1, 0] : [0, 1]).map(each);

/** A button for each code, of one look; a lot says which is first. */
const pair = (block, lots, press, given) =>
	h(
		'div',
		{class: 'pair', role: 'group'},
		inTurn(lots, code =>
			h(
				'button',
				{type: 'button', class: 'plain', click: press(code), 'aria-pressed': given && `${given(code)}`},
				isCompared(block.draw) && pairPicture(block.draw.way, code),
				buttonsOf(block.draw)[code],
			),
		),
	);

const taskOf = draw => (isCompared(draw) ? 'own.look' : 'own.find');

/** What is beside the question, A, and the question, B. */
const beside = (said, question) =>
	said.asks &&
	h('ul', {class: 'beside'}, [
		h('li', {}, h('b', {}, 'A'), ' ', said.fact && h('strong', {}, said.fact), ' ', said.asks),
		h('li', {}, h('b', {}, 'B'), ' ', question),
	]);

/** What each outcome means, a row each; where it says something of each question, a column each. */
function table({rows}, questions) {
	if (!rows.length) return;
	const count = questions.length;
	const row = ({labels, says}) =>
		h(
			'tr',
			{},
			h('th', {scope: 'row'}, labels),
			[says]
				.flat()
				.slice(0, count)
				.map(one => h('td', {colspan: !Array.isArray(says) && count}, one)),
		);
	const heads = ['', ...questions].map((_, place) =>
		h('th', {scope: 'col'}, place ? `${say('question')} ${place}` : say('own.drew')),
	);
	return h('table', {class: 'says'}, count > 1 && h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows.map(row)));
}

/** An example with a harmless question. Whatever is pressed, the right button is shown; nothing of it is kept. */
export function example(session, block) {
	const lots = lotsOf(session, block);
	const said = printed(block, lots, textOf);
	const status = h('p', {class: 'lead', role: 'status'});
	const {suppose, right} = supposed(block, said);
	const press = code => () =>
		status.replaceChildren(say(code === right ? 'own.right' : 'own.wrong', {button: said.buttons[right]}));
	const draws = said.draws.map(({text, fact}) => h('span', {}, [text, fact].filter(Boolean).join(gap())));
	const words = [draws, say(taskOf(block.draw)), inTurn(lots, code => said.buttons[code]).join(' / ')];
	return [
		h(
			'ol',
			{class: 'steps'},
			stepPictures(block, lots).map((drawn, place) => h('li', {}, drawn, h('span', {}, words[place]))),
		),
		h('p', {class: 'legend'}, say('practice.yesno')),
		beside(said, say('practice.yesno')),
		table(said, block.items.slice(0, 1)),
		p('', say(...suppose)),
		pair(block, lots, press),
		status,
	];
}

/** What the example supposes, and the button that is right then. */
function supposed({draw}, {rows}) {
	if (isCompared(draw)) return {suppose: ['own.suppose', {a: say('no'), b: say('yes')}], right: 1};
	const pressed = ({means}) => ({truth: 1, opposite: 0, yes: 1, no: 0})[means];
	const row = rows.find(one => one.means !== 'truth' && pressed(one) !== undefined) ?? rows[0];
	return {suppose: ['own.supposeDraw', {label: row.one, b: say('yes')}], right: pressed(row)};
}

const WORDS_ALONE = ['coin']; // the table below is large enough

const STAGES = ['example', 'draw', 'press'];

/** The pages of one draw, a stage each: an example, the draw, then the question. */
export function askByDraw(page, session, way, {number, back, previous, next}) {
	const block = page.draws;
	const visit = visitOf(session, block);
	const to = stage => () => {
		visit.stage = stage;
		way.questions(number);
	};
	if (back) visit.stage = 'press';
	const stage = STAGES.indexOf(visit.stage);
	const before = visit.stage === 'skip' ? to('draw') : stage > 0 && !back ? to(STAGES[stage - 1]) : previous;
	const buttons = (...first) =>
		p('buttons', first, !back && button('back', before, 'plain'), stage > 0 && button('own.skip', to('skip'), 'plain'));
	const lots = lotsOf(session, block);
	const around = {session, block, lots, said: printed(block, lots, textOf), buttons, next};
	// A stored gap would be an answer that is not hidden: who skips leaves, and nothing is sent.
	if (visit.stage === 'skip') show(say('own.skip'), p('lead', say('own.skipText')), buttons(button('leave', leave)));
	else if (visit.stage === 'example')
		show(
			say('own.example'),
			p('lead', say('own.exampleNote')),
			example(session, block),
			buttons(button('next', to('draw'))),
		);
	else if (visit.stage === 'draw') showDraw(around, to('press'));
	else showQuestions(page, around);
	return back ? way.review : before;
}

const leave = () => document.querySelector('header .leave').click();

/** First the draw: the question is not seen before. */
function showDraw({block, said, buttons}, done) {
	show(
		say('own.title'),
		p('lead', say('own.trust')),
		said.draws.map(({text, fact}, place) =>
			h(
				'section',
				{class: 'step'},
				h('b', {'aria-hidden': 'true'}, place + 1),
				p('legend', text),
				fact && p('fact', h('strong', {}, fact)),
			),
		),
		p('', say('own.silent')),
		block.draw.way === 'triangular' && p('caution', say('own.open')),
		buttons(button('own.done', done)),
		folds(block),
	);
}

/** The questions with what the draw says. Of one alone the button is the answer; a press that was meant for the page
 * before is none. */
function showQuestions(page, {session, block, lots, said, buttons, next}) {
	const asked = page.questions.filter(({id}) => session.isAsked(id));
	const isAlone = asked.length === 1;
	const shown = performance.now();
	const error = h('p', {class: 'error', role: 'alert'});
	const press =
		({id}) =>
		code =>
		({detail, pointerType, timeStamp, currentTarget}) => {
			if (detail > 1 || (pointerType === 'touch' && timeStamp < shown + 500)) return;
			session.answers.set(id, `${codeOf(code, lots)}`);
			session.answered = true;
			if (isAlone) return next();
			for (const other of currentTarget.parentElement.children)
				other.setAttribute('aria-pressed', `${other === currentTarget}`);
		};
	const given =
		({id}) =>
		code =>
			session.answers.get(id) === `${codeOf(code, lots)}`;
	const onward = () =>
		asked.every(({id}) => session.answers.has(id)) ? next() : error.replaceChildren(say('missing'));
	show(
		say('own.title'),
		p('lead', say(taskOf(block.draw))),
		!WORDS_ALONE.includes(block.draw.source) && picture(block.draw, lots),
		table(said, asked),
		asked.map((question, place) =>
			h(
				'fieldset',
				{class: 'question'},
				h('legend', {class: 'legend'}, !isAlone && `${place + 1}. `, written('span', question.text)),
				p('mark mask', say('own.mark')),
				written('p', question.help, {class: 'help'}),
				beside(said, say('own.above')),
				pair(block, lots, press(question), given(question)),
			),
		),
		error,
		block.draw.lot && p('quiet', say('own.lot')),
		block.draw.way === 'extended' && p('quiet', say('own.looks')),
		p('quiet', say('own.sends')),
		buttons(!isAlone && button('next', onward)),
		folds(block),
	);
}

/** True for everybody: counts are rounded down, and the limit up. */
function folds(block) {
	const said = kindOf(block)
		.explain([block])
		.flatMap(([, texts]) => texts);
	const most = sure(odds({of: ONE, blocks: [block]}), 1n);
	const why = said.slice(1).map(one => p('', inWords(one)));
	const limit = [p('', say('own.both')), p('', say('sentence', {prior: percent(0.5), posterior: percent(most)}))];
	return h(
		'div',
		{},
		folded('own.why', false, why, most < 1 && limit),
		folded('own.lack', false, p('', lackOf(block.draw))),
	);
}
