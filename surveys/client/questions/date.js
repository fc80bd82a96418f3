// A day, written YYYY-MM-DD.

import {written} from '../written.js';

export const words = {
	wrong: {en: 'Please give the whole date: day, month and year.', 'zh-hans': '请填写完整的日期：年、月、日。'},
};

const day = text => (new Date(text).toJSON()?.slice(0, 10) === text && text > '0001' ? text : undefined);

export const {isField, problem, inWords, controls} = written(
	({min, max}) => ({type: 'date', min, max: max ?? '9999-12-31'}),
	day,
	() => [words.wrong],
);
