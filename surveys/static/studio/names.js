// Invitations with names: the site makes links, and this browser puts a name beside each. Names are never sent.

const form = document.querySelector('#invite');
const names = document.querySelector('#names');
const said = document.querySelector('#invited');
const count = form?.elements.count;
let isUnderWay = false;

const lines = () =>
	names.value
		.split('\n')
		.map(line => line.trim())
		.filter(Boolean);

// A spreadsheet must show what is written, and compute nothing of it, whichever list separator it has.
const FORMULA = /(?:^|(?<=[;\t]))(?=["' ]*[=+\-@＝＋－＠])/g;
const cell = text => `"${text.replace(FORMULA, "'").replaceAll('"', '""')}"`;

/** The file with a name beside each link, if there are names. */
function paired(links, people) {
	const rows = [form.dataset.link, ...links].map(link => [link]);
	const named = [form.dataset.names, ...people];
	const columns = people.length ? rows.map((row, place) => [named[place], ...row]) : rows;
	return columns.map(row => `${row.map(cell).join(',')}\r\n`).join('');
}

function save(text, download) {
	const file = URL.createObjectURL(new Blob(['\ufeff', text], {type: 'text/csv'}));
	Object.assign(document.createElement('a'), {href: file, download}).click();
	URL.revokeObjectURL(file);
}

async function invite() {
	const people = lines();
	if (people.length) count.value = people.length;
	const answer = await fetch(form.action, {method: 'POST', body: new URLSearchParams(new FormData(form))}).catch(
		() => null,
	);
	if (answer?.headers.get('Content-Type')?.startsWith('text/csv')) {
		const [, ...links] = (await answer.text()).trim().replaceAll('"', '').split('\r\n');
		save(paired(links, people), form.dataset.file);
		form.reset();
		names.dispatchEvent(new Event('input'));
		said.className = 'banner';
		said.textContent = form.dataset.done;
		listed();
		return;
	}
	const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html');
	said.className = 'banner bad';
	said.textContent = page?.querySelector('[role=alert]')?.textContent ?? form.dataset.failed;
}

/** A second press does nothing while the first is under way, and the second of a double click never does. */
function pressed(event) {
	event.preventDefault();
	if (isUnderWay) return;
	isUnderWay = true;
	invite().finally(() => {
		isUnderWay = false;
	});
}

const once = event => event.detail > 1 && event.preventDefault();

/** The batches and the states of all ways as they are now, without loading the page again. */
async function listed() {
	const answer = await fetch(location.pathname).catch(() => null);
	if (!answer?.ok) return;
	const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
	for (const place of ['#batches', '#list .chip'])
		document.querySelector(place).replaceWith(fresh.querySelector(place));
}

if (form) {
	names.closest('[hidden]').hidden = false;
	names.addEventListener('input', () => {
		count.readOnly = lines().length > 0;
		if (count.readOnly) count.value = lines().length;
	});
	form.addEventListener('submit', pressed);
	form.querySelector('button.primary').addEventListener('click', once);
}
