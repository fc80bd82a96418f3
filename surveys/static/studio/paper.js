// Sheets of paper by keyboard: one key an answer, Enter ends a sheet, and the last one sends the stack. What was typed
// is kept for who types it until then. Some sheets are typed a second time; the first entry is not shown.

const form = document.querySelector('#batch');
const keys = JSON.parse(form.dataset.keys);
const {boxes, begin, discard, store, back, typed, counted, aside, token, places} = form.elements;
const status = document.querySelector('#status');
const now = document.querySelector('#now');
const unkept = document.querySelector('#unkept');
const digits = keys.lots.length > 1 ? keys.lots[0].name.length : 0; // of the name of a lot, before the answers

const by = token.value; // this window: one that went on with the same stack, or types its own, is kept
const stack = {first: [], again: [], aside: 0, drawn: []};
const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const say = (name, values = {}) => {
	status.textContent = fill(form.dataset[name], values);
};
const ends = {least: keys.lots[0].name, most: keys.lots.at(-1).name};
const isWhole = () => stack.first.length + stack.aside >= Number(counted.value);

/** The lot of the sheet that is typed, once its name is. */
const lotOf = text => (digits ? keys.lots.find(({name}) => name === text.slice(0, digits)) : keys.lots[0]);

/** Where a field is: its page, and what tells its sheet from others. */
function where(lot, page) {
	const said = [fill(form.dataset.page, {page})];
	if (lot.look) said.unshift(fill(form.dataset.look, lot));
	if (digits) said.unshift(fill(form.dataset.lot, {lot: lot.name}));
	return said.join(', ');
}

/** What is wrong with what is typed: nothing, the lot, or the numbers that a box may have. */
function problem(text) {
	const lot = lotOf(text);
	if (!lot) return text.length >= digits || /\D/.test(text) ? ['lotless', ends] : null;
	for (const [place, key] of [...text.slice(digits)].entries()) {
		const [, most, needed] = lot.fields[place] ?? ['', 0, true];
		const isBox = /\d/.test(key) && Number(key) <= most && !(key === '0' && needed);
		if (!isBox) return ['strange', {n: needed ? 1 : 0, all: most}];
	}
	return null;
}

function showNext() {
	const lot = lotOf(boxes.value);
	const [name, most, , page] = lot?.fields[boxes.value.length - digits] ?? [];
	if (lot) now.textContent = name ? `${name} (1–${most}) · ${where(lot, page)}` : '';
	else now.textContent = fill(form.dataset.lot, {lot: `(${ends.least}–${ends.most})`});
}

function ask() {
	boxes.value = '';
	const [all, n, done] = [Number(counted.value), stack.first.length, stack.first.length + stack.aside];
	const last = stack.again.length ? stack.drawn[stack.again.length - 1].place : done;
	const isTyped = isWhole() && stack.again.length === stack.drawn.length;
	boxes.disabled = isTyped;
	store.hidden = !isTyped;
	back.hidden = !done || stack.compared; // differences were shown: they count as they were typed
	counted.readOnly = Boolean(stack.compared);
	store.textContent = fill(form.dataset.stores, {n});
	back.textContent = fill(form.dataset.back, {n: last});
	if (!isWhole()) say('next', {n: done + 1, all});
	else if (isTyped) say('whole', {n, all, aside: stack.aside});
	else say('again', {n: stack.drawn[stack.again.length].place, left: stack.drawn.length - stack.again.length});
	now.hidden = isTyped;
	showNext();
	(isTyped ? store : boxes).focus();
}

/** The last sheet comes back, to be typed again unseen; with one of the first entry the sample is drawn again. */
function takeBack() {
	const {first, again, aside: set} = stack;
	if (!again.pop()) {
		if (first.at(-1)?.place === first.length + set) first.pop();
		else stack.aside -= 1;
		stack.drawn = [];
	}
	goOn();
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
	const answers = new Map(lotOf(text).fields.map(([name], place) => [name, text[digits + place]]));
	const cell = name =>
		name === keys.version
			? keys.mark
			: (answers.get(name)?.replace('0', '') ?? (digits && name === 'lot' ? text.slice(0, digits) : ''));
	return [...(number ? [number] : []), ...keys.columns.map(cell)].join(',');
}

/** Let the site keep what is typed so far, or forget what it had. One request after another. */
function keep(isThrown) {
	const {first, again, drawn} = stack;
	const sheets = first.map(({text, place}) => [text, place]);
	const rows = drawn.map(sheet => first.indexOf(sheet));
	const {aside, from, compared} = stack;
	const own = {counted: Number(counted.value), token: token.value, aside, by, from, compared};
	const all = {...own, first: sheets, again, drawn: rows};
	const body = isThrown ? '' : JSON.stringify(all);
	const headers = {'X-CSRFToken': form.elements.csrfmiddlewaretoken.value};
	stack.kept = false;
	stack.keeping = (stack.keeping ?? Promise.resolve()).then(async () => {
		const answer = await fetch(form.dataset.store, {
			method: 'POST',
			headers,
			body,
			keepalive: body.length < 60_000,
		}).catch(() => null);
		stack.kept = answer?.status === 204; // who was signed out is led to another page, which answers too
		unkept.hidden = stack.kept;
		unkept.textContent = [409, 413].includes(answer?.status) ? await answer.text() : form.dataset.unkept;
	});
	return stack.keeping;
}

async function send() {
	say('sends');
	store.disabled = true;
	await stack.keeping;
	typed.value = [keys.columns.join(','), ...stack.first.map(({text}) => rowOf(text))].join('\n');
	const rows = stack.again.map((text, place) => rowOf(text, stack.first.indexOf(stack.drawn[place]) + 1));
	form.elements.typed_again.value = rows.length ? [[keys.sheet, ...keys.columns].join(','), ...rows].join('\n') : '';
	aside.value = stack.aside;
	places.value = stack.first.map(({place}) => place);
	stack.kept = true;
	form.requestSubmit();
}

/** After each sheet: draw those that come again once all are there, keep it, and ask for the next. */
function goOn() {
	if (isWhole() && !stack.drawn.length) stack.drawn = draw();
	keep();
	ask();
}

function end() {
	const lot = lotOf(boxes.value);
	if (!lot) return say('lotless', ends);
	const n = boxes.value.length - digits;
	if (n < lot.fields.length) {
		const [name, , , page] = lot.fields[n];
		return say('lacks', {name, where: where(lot, page), n, all: lot.fields.length});
	}
	if (isWhole()) stack.again.push(boxes.value);
	else stack.first.push({text: boxes.value, place: stack.first.length + stack.aside + 1});
	return goOn();
}

function setAside() {
	if (isWhole()) return;
	stack.aside += 1;
	goOn();
}

boxes.addEventListener('input', () => {
	const wrong = problem(boxes.value);
	if (wrong) {
		boxes.value = boxes.value.slice(0, -1);
		say(...wrong);
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
	if (!(Number(counted.value) >= Number(counted.min))) {
		say('count', {least: counted.min});
		counted.focus();
		return;
	}
	// More were counted: the sample is of them all.
	if (!isWhole() && !stack.compared) Object.assign(stack, {again: [], drawn: []});
	discard.hidden = true;
	ask();
}

/** What was typed before the page was left; the same stack in two windows has one token, and is stored once. */
function restore({counted: number, token: same, aside: set, first, again, drawn, by: from, compared}) {
	counted.value = number;
	token.value = same ?? token.value;
	const before = first.map(([text, place]) => ({text, place}));
	Object.assign(stack, {first: before, again, aside: set, from, compared, kept: true});
	stack.drawn = drawn.map(row => stack.first[row]);
	begin.textContent = form.dataset.go;
	discard.hidden = false;
	say('goes', {n: first.length + set, all: number});
}

begin.addEventListener('click', start);
store.addEventListener('click', send);
back.addEventListener('click', takeBack);
document.querySelector('#typing').addEventListener('keydown', event => {
	if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || back.hidden) return;
	event.preventDefault();
	if (!event.repeat) takeBack();
});
discard.addEventListener('click', async () => {
	Object.assign(stack, {first: [], again: [], aside: 0, drawn: []});
	await keep(true);
	location.reload();
});
counted.addEventListener('keydown', event => {
	if (event.key !== 'Enter') return;
	event.preventDefault();
	start();
});
document.querySelector('.plainly').hidden = !typed.value; // what was refused is there to be mended
document.querySelector('#typing').hidden = false;
addEventListener('beforeunload', event => {
	if (stack.kept === false) event.preventDefault();
});
if (form.dataset.kept) restore(JSON.parse(form.dataset.kept));
(form.dataset.kept ? begin : counted).focus();
