// Yes or no, or with options of its own.

import {say} from '../language.js';
import {labelled, oneOf} from '../options.js';

const optionsOf = question =>
	question.options
		? labelled(question)
		: [
				['1', say('yes')],
				['0', say('no')],
			];

export const plain = true;
export const {role, values, valueOf, valueInWords, problem, inWords, controls} = oneOf(optionsOf);
