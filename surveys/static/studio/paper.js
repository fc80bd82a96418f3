// Sheets of paper by keyboard: one key an answer, Enter ends a sheet, and the last one sends the stack. What was typed
// stays in this page until then. Some sheets are typed a second time; the first entry is not shown.

const form = document.querySelector('#batch');
const keys = JSON.parse(form.dataset.keys);
const {boxes, begin, typed, typed_again: typedAgain, counted, aside} = form.elements;
const status = document.querySelector('#status');
const now = document.querySelector('#now');
const digits = keys.lots.length > 1 ? String(keys.lots.length).length : 0; // of the number of a lot, before the answers

const stack = {first: [], again: [], aside: 0, drawn: []};
const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const say = (name, values = {}) => {
	status.textContent = fill(form.dataset[name], values);
};

/** The fields of the sheet that is typed, once its lot is known. */
function fieldsOf(text) {
	if (!digits) return keys.lots[0];
	return text.length < digits ? undefined : keys.lots[Number(text.slice(0, digits)) - 1];
}

function problem(text) {
	const fields = fieldsOf(text);
	if (!fields) return text.length >= digits || /\D/.test(text) ? {n: 1, all: keys.lots.length} : null;
	for (const [place, key] of [...text.slice(digits)].entries()) {
		const [, most, needed] = fields[place] ?? ['', 0, true];
		if (!/\d/.test(key) || Number(key) > most || (key === '0' && needed)) return {n: needed ? 1 : 0, all: most};
	}
	return null;
}

function showNext() {
	const place = boxes.value.length - digits;
	const field = place < 0 ? ['lot', keys.lots.length] : fieldsOf(boxes.value)?.[place];
	now.textContent = field ? `${field[0]} (1–${field[1]})` : '';
}

function ask() {
	boxes.value = '';
	const done = stack.first.length + stack.aside;
	const all = Number(counted.value);
	if (done < all) say('next', {n: done + 1, all});
	else if (stack.again.length < stack.drawn.length)
		say('again', {n: stack.drawn[stack.again.length].place, left: stack.drawn.length - stack.again.length});
	else return send();
	showNext();
	boxes.focus();
}

/** A random tenth of the sheets, and at least one: their rows, and where they lie in the stack. */
function draw() {
	const left = [...stack.first];
	const size = Math.max(Math.ceil(left.length / keys.sample), Math.min(left.length, 1));
	const weight = new Map(left.map(sheet => [sheet, crypto.getRandomValues(new Uint32Array(1))[0]]));
	return left
		.sort((one, other) => weight.get(one) - weight.get(other))
		.slice(0, size)
		.sort((one, other) => one.place - other.place);
}

/** A sheet as a row of the file: the columns by their names. */
function rowOf(text, number) {
	const answers = new Map(fieldsOf(text).map(([name], place) => [name, text[digits + place]]));
	const cell = name =>
		name === keys.version
			? keys.mark
			: (answers.get(name)?.replace('0', '') ??
				(digits && name === 'lot' ? String(Number(text.slice(0, digits))) : ''));
	return [...(number ? [number] : []), ...keys.columns.map(cell)].join(',');
}

function send() {
	say('sends');
	boxes.disabled = true;
	typed.value = [keys.columns.join(','), ...stack.first.map(({text}) => rowOf(text))].join('\n');
	const rows = stack.again.map((text, place) => rowOf(text, stack.first.indexOf(stack.drawn[place]) + 1));
	typedAgain.value = rows.length ? [[keys.sheet, ...keys.columns].join(','), ...rows].join('\n') : '';
	aside.value = stack.aside;
	stack.sent = true;
	form.requestSubmit();
}

function end() {
	const fields = fieldsOf(boxes.value);
	const all = digits + (fields?.length ?? 1);
	if (boxes.value.length < all) return say('lacks', {n: boxes.value.length, all});
	if (stack.first.length + stack.aside < Number(counted.value)) {
		stack.first.push({text: boxes.value, place: stack.first.length + stack.aside + 1});
		if (stack.first.length + stack.aside === Number(counted.value)) stack.drawn = draw();
	} else stack.again.push(boxes.value);
	return ask();
}

function setAside() {
	if (stack.first.length + stack.aside >= Number(counted.value)) return;
	stack.aside += 1;
	if (stack.first.length + stack.aside === Number(counted.value)) stack.drawn = draw();
	ask();
}

boxes.addEventListener('input', () => {
	const wrong = problem(boxes.value);
	if (wrong) {
		boxes.value = boxes.value.slice(0, -1);
		say('strange', wrong);
	}
	showNext();
});

boxes.addEventListener('keydown', event => {
	if (event.key !== 'Enter' && event.key !== '-') return;
	event.preventDefault(); // Enter would send the form
	if (event.key === '-') setAside();
	else end();
});

function start() {
	if (!(Number(counted.value) > 0)) {
		say('count');
		counted.focus();
		return;
	}
	Object.assign(stack, {first: [], again: [], aside: 0, drawn: []});
	boxes.disabled = false;
	ask();
}

begin.addEventListener('click', start);
counted.addEventListener('keydown', event => {
	if (event.key !== 'Enter') return;
	event.preventDefault();
	start();
});
document.querySelector('.plainly').hidden = !typed.value; // what was refused is there to be mended
document.querySelector('#typing').hidden = false;
addEventListener('beforeunload', event => {
	if (stack.first.length && !stack.sent) event.preventDefault();
});
counted.focus();
