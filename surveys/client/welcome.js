import {kindOf} from './kinds.js';
import {percent, say, spoken, told} from './language.js';
import {option as labelled} from './options.js';
import {button, form, h, icon, p, show, written} from './page.js';
import {exactly, frequencies, inFrequencies, wordsOfOpen} from './promise.js';
import {sure} from './protection.js';
import {questionsOf} from './reading.js';

const LEARN = ['learnsAsker', 'learnsEmployer', 'learnsThief', 'learnsSite'];

const isOpen = definition => questionsOf(definition).some(({sensitive}) => !sensitive);

const headed = (key, {[key]: text}) =>
	told(text) && [
		h('h2', {}, say(key)),
		told(text)
			.split(/\n\s*\n/)
			.map(paragraph => h('p', spoken(), paragraph)),
	];

export function welcome(session, way) {
	const {definition, design, checked, version, earlier, gamma} = session;
	const begin = button('begin', () => {
		begin.disabled = true;
		way.begin();
	});
	show(
		written('span', definition.title),
		['trial', 'simulated', 'early', 'beside'].map(kind => definition[kind] && p('caution', say(kind))),
		headed('who', definition),
		headed('why', definition),
		protection(session),
		headed('consent', definition),
		earlier > 1 && [
			p('caution', say(wordsOfOpen(design.blocks).second ?? 'second', {posterior: percent(sure(earlier * gamma))})),
			definition.access === 'open' && button('another', way.another, 'plain'),
		],
		!checked && p('caution', say('fingerprint'), ' ', h('code', {}, version.slice(0, 16).match(/..../g).join(' '))),
		definition.access === 'invitation' && p('caution', say('once')),
		p('buttons', begin, button('practice', way.practice, 'plain')),
		p(
			'quiet',
			say('stored'),
			' ',
			(design.direct || isOpen(definition)) && [say('storedGiven'), ' '],
			say(wordsOfOpen(design.blocks).stored ?? 'storedTruth'),
		),
	);
}

function protection({definition, design, asked, notes}) {
	const {items, override} = definition;
	const drawn = asked.filter(Boolean).length;
	const ways = [...new Set(design.blocks.map(kindOf))].map(({words}) => [say(words.how), ' ']);
	return h(
		'section',
		{class: 'protection'},
		h('h2', {}, icon('mask'), say('protection')),
		inFrequencies(frequencies(design)),
		isOpen(definition) && p('', say('ifMarked')),
		design.direct && p('', say('ifDisguised')),
		notes?.(definition),
		override && p('caution', say('override', override), ' ', h('q', {}, override.reason)),
		drawn < items.length && p('', say('drawn', {asked: drawn, all: items.length})),
		h('h3', {}, say('learns')),
		list(LEARN.map(key => [h('strong', {}, say(key)), ' ', say(`${key}Text`)])),
		folded('exactly', exactly(design)),
		folded('how', p('', ways, say('manyTell'))),
		folded('uncovered', list([...(design.direct ? ['uncoveredDirect'] : []), 'uncoveredAgain'].map(key => say(key)))),
	);
}

const folded = (key, content) => h('details', {}, h('summary', {}, say(key)), content);

function list(entries) {
	const items = entries.map(entry => h('li', {}, entry));
	return h('ul', {}, items);
}

export function choice(session, way) {
	const option = (direct, title) => {
		const change = () => {
			session.direct = direct;
		};
		const words = [h('strong', {}, say(title)), h('span', {class: 'help'}, say(`${title}Help`))];
		return labelled({type: 'radio', name: 'way', checked: session.direct === direct, change}, words);
	};
	show(
		say('choice'),
		form(
			way.after,
			[
				h(
					'div',
					{class: 'options', role: 'radiogroup', 'aria-label': say('choice')},
					option(false, 'disguised'),
					option(true, 'direct'),
				),
				p('help', say('uncoveredDirect')),
				!session.durable && p('caution', say('noStorage')),
			],
			button('back', way.before, 'plain'),
		),
	);
	return way.before;
}
