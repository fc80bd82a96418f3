// A step on a scale of whole numbers, with words at its ends.

import {ends, oneOf, steps} from '../options.js';

export const {role, values, valueOf, valueInWords, problem, inWords, controls} = oneOf(steps);
export {ends as note};
