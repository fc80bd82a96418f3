// A day, written YYYY-MM-DD.

import { written } from '../written.js';

export const words = { wrong: { en: 'Please give a date, like 2024-12-31.', 'zh-hans': '请填写日期，例如 2024-12-31。' } };

const day = (text) => (new Date(text).toJSON()?.slice(0, 10) === text && text > '0001' ? text : undefined);

export const { isField, problem, inWords, controls } = written(({ min, max }) => ({ type: 'date', min, max: max ?? '9999-12-31' }), day, words.wrong);
