// One answer among options.

import { labelled, oneOf } from '../options.js';

export const { role, parts, values, valueOf, valueInWords, problem, inWords, controls } = oneOf(labelled);
