// The types of question, a line each. All that is known of a type in the browser stands in its module:
//
// controls(question, session, give, described)   elements to answer with; `give` takes the answer, undefined: none
// isField, role                                  one field under its label; or the role of the group of controls
// note(question)                                 what is said below the question, beside its help
// problem(question, answer, session)             what is wrong with an answer, as arguments for `say`; null: nothing
// inWords(question, answer, session)             for the review and the receipt
// toSend(answer, question), sent(value)          the open answer as JSON, and back
// tells(answer)                                  what it means to a condition of a later question
//
// and where it can be disguised, for each of its items in the design:
// parts(question)                                the items with their ids and labels; [null]: the question itself
// values(question)                               the options of each
// valueOf(answer, part), valueInWords(question, value)

export * as yesno from './questions/yesno.js';
export * as choice from './questions/choice.js';
export * as several from './questions/several.js';
export * as scale from './questions/scale.js';
export * as matrix from './questions/matrix.js';
export * as number from './questions/number.js';
export * as text from './questions/text.js';
export * as date from './questions/date.js';
