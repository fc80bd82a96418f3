// One answer among options.

import {labelled, oneOf} from '../options.js';

export const {role, values, valueOf, valueInWords, problem, inWords, controls} = oneOf(labelled);
