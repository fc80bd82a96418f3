// The privacy notice: a page of its own, without a script, to which the first page leads.

import {path} from '../../exchange.js';
import {h, p, say, spoken} from '../../page.js';
import {learn} from '../texts.js';

export const ready = () => learn('notice');

export const firstPage = () =>
	p('quiet', h('a', {href: `${path}notice/#${spoken().lang}`, target: '_blank'}, say('notice.link')));
