// A short text.

import {written} from '../written.js';

const USUAL = 500; // UTF-16 units

const attributes = ({max}) => ({maxlength: max ?? USUAL, dir: 'auto', rows: max > 100 && '4'});

export const {isField, problem, inWords, controls} = written(attributes, ({length}) => length, null, USUAL);

/** In letters that JSON and files can carry. */
export const toSend = answer => answer.replace(/[^\n\P{Cc}]/gu, ' ').replace(/\p{Cs}/gu, '\ufffd');
