// Practice questions: the disguise at work before anything is asked. There is a harmless one for each type of
// question that this device will disguise, and for each number and place, with the survey's own chances. Nothing is
// sent or kept, and the response is drawn later, at Send.

import {ONE} from '../chances.js';
import {disguise, kindOf} from '../disguise.js';
import {button, gap, h, p, say, show, textOf} from '../page.js';
import {typeOf} from '../questionnaire.js';

export function practice(session, way) {
	const asked = session.definition.items.filter(({id}) => session.isAsked(id));
	const items = asked.filter(({block}) => !block.draw);
	const drawn = [...new Set(asked.map(({block}) => block))].filter(({draw}) => draw);
	const typeOfItem = ({question: {type}}) => type;
	const practised = items.filter(
		(item, place) => !item.options || items.findIndex(other => typeOfItem(other) === typeOfItem(item)) === place,
	);
	show(
		say('practice'),
		p('lead', say('practice.note')),
		items.length > 0 && p('', say('practice.own')),
		drawn.map(block => h('section', {class: 'question'}, session.example(session, block))),
		practised.map(({question}) =>
			tried(
				session,
				question,
				items.filter(item => item.question === question),
			),
		),
		p('buttons', button('practice.done', way.welcome)),
	);
	return way.welcome;
}

/** The question with letters for what it names, and numbers for a scale; yes and no keep their names. */
function harmless({languages}, question) {
	const {options, items} = question;
	if (typeOf(question).plain || !(options ?? items)) return question;
	const named = (list, nameOf) =>
		list?.map((one, place) => ({...one, label: Object.fromEntries(languages.map(tag => [tag, nameOf(place)]))}));
	const letter = place => String.fromCharCode(65 + place);
	return {...question, options: named(options, items ? place => `${place + 1}` : letter), items: named(items, letter)};
}

/** What would be stored of these codes, a text where it says nothing of one: other questions of their blocks are
 * disguised with them, as in a response. */
function stored({design, isAsked}, codes) {
	const blocks = design.blocks.filter(({items}) => items.some(({id}) => codes.has(id)));
	const items = blocks.flatMap(block => block.items.map(item => ({...item, block})));
	const ids = items.map(({id}) => id);
	const answers = items.map(({id, block, ...item}) =>
		isAsked(id) ? (codes.get(id) ?? kindOf(block).usual?.(item) ?? 0) : null,
	);
	const record = disguise({of: ONE, blocks}, answers, ids.map(isAsked));
	let end = 0;
	return new Map(
		blocks.flatMap(block => {
			const start = end;
			end += block.items.length;
			const sent = record.slice(start, end);
			const shown = kindOf(block).shows?.(block, sent);
			const instead = kindOf(block).group?.(block, sent); // of a long list, for all of its answers
			const none = instead ? [kindOf(block).words.group, instead] : ['practice.none'];
			const some = kindOf(block).least?.(block, sent); // of a word about several answers
			const asSome = some && [kindOf(block).words.least, some];
			return block.items.map(({id}, place) => [id, (shown?.[place] ?? true) ? (asSome ?? sent[place]) : none]);
		}),
	);
}

/** One question with its own controls, what would be stored of an answer, and how often each was stored as what. */
function tried(session, question, items) {
	const {problem, controls, valueOf, valueInWords, isField, role = 'group'} = typeOf(question);
	const shown = harmless(session.definition, question);
	const answers = new Map();
	const times = new Map();
	const said = h('p', {class: 'lead', role: 'status'});
	const rows = h('tbody', {});
	const table = h(
		'table',
		{hidden: true},
		h(
			'thead',
			{},
			h(
				'tr',
				{},
				['given', 'as', 'times'].map(key => h('th', {scope: 'col'}, say(`practice.${key}`))),
			),
		),
		rows,
	);
	const give = answer => {
		answers.set(question.id, answer);
	};
	const draw = () => {
		const given = answers.get(question.id);
		const wrong = problem({...shown, required: true}, given, session);
		if (wrong) return said.replaceChildren(say(...wrong));
		const codes = new Map(
			items.map(({part, block, ...item}) => [item.id, kindOf(block).codeOf(item, valueOf(given, part), block)]),
		);
		const record = stored(session, codes);
		const lines = items.map(({part, block, ...item}) => {
			const [own, as] = [codes, record].map(of =>
				Array.isArray(of.get(item.id))
					? say(...of.get(item.id))
					: valueInWords(shown, kindOf(block).textOf(item, of.get(item.id), block)),
			);
			const label = part ? `${textOf(shown.items.find(({id}) => id === part.id).label)}: ` : '';
			return [label + own, as];
		});
		lines.forEach(line => times.set(line.join('|'), [...line, (times.get(line.join('|'))?.[2] ?? 0) + 1]));
		rows.replaceChildren(
			...[...times.keys()]
				.sort()
				.map(key => times.get(key))
				.map(([own, ...others]) =>
					h(
						'tr',
						{},
						h('th', {scope: 'row'}, own),
						others.map(cell => h('td', {}, `${cell}`)),
					),
				),
		);
		table.hidden = !items[0].options; // of numbers and places hardly any comes twice
		return said.replaceChildren(lines.map(([own, as]) => say('practice.stored', {said: own, stored: as})).join(gap()));
	};
	const id = `q-${question.id}-any`;
	return h(
		'div',
		{class: 'question', role, 'aria-labelledby': id},
		h(
			isField ? 'label' : 'p',
			{class: 'legend', id, ...(isField && {for: `q-${question.id}-field`})},
			say(`practice.${question.type}`, {min: `${question.min}`, max: `${question.max}`}),
		),
		controls(shown, {...session, answers, orders: new Map()}, give, {}),
		p('buttons', button('practice.draw', draw, 'plain')),
		said,
		table,
	);
}
