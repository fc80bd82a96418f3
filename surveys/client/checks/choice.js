// The choice to answer directly, where a survey offers it.

import {button, h, p, say, show} from '../page.js';
import {form, option as labelled} from '../questions/usual.js';

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
