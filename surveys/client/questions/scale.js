// A step on a scale of whole numbers, with words at its ends.

import { spoken, told } from '../language.js';
import { h } from '../page.js';
import { oneOf } from './options.js';

export const steps = ({ min, max }) => Array.from({ length: max - min + 1 }, (_, step) => [`${min + step}`, `${min + step}`]);

export const { role, parts, values, valueOf, valueInWords, problem, inWords, controls } = oneOf(steps);

export const note = ({ min, max, ends }) => ends?.low && h('p', { ...spoken(), class: 'help' },
  h('bdi', {}, `${min} = ${told(ends.low)}`), ' – ', h('bdi', {}, `${max} = ${told(ends.high)}`));
