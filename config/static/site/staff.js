// What every page of staff does: times are those of the reader's zone, in as many letters as before, so that nothing
// moves; a menu closes on Escape, with the focus back on what opened it, and on a press outside; a file that is too
// large for the site is refused before it is sent; the focus is on the first field that was refused.

const minutesOf = at => -at.getTimezoneOffset();
const written = ms => new Date(ms).toISOString().slice(0, 16);
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

for (const time of document.querySelectorAll('time[data-utc]')) {
	const at = new Date(time.dateTime);
	const minutes = minutesOf(at);
	const offset = (minutes < 0 ? '-' : '+') + written(Math.abs(minutes) * 6e4).slice(11);
	time.textContent = written(at.getTime() + minutes * 6e4).replace('T', ' ') + (time.dataset.utc && ` UTC${offset}`);
	time.title = zone;
}
for (const field of document.querySelectorAll('[type=datetime-local]')) {
	const at = new Date(field.dataset.at);
	if (field.dataset.at) field.value = field.defaultValue = written(at.getTime() + minutesOf(at) * 6e4);
	// Without a zone the browser reads it in its own.
	field.form.addEventListener('formdata', ({formData}) => {
		if (field.value) formData.set(field.name, new Date(field.value).toISOString());
	});
}
for (const name of document.querySelectorAll('[data-zone]')) name.textContent = zone;

const MOST = 2_500_000; // bytes: a little less than a form may have
addEventListener('change', ({target}) => {
	if (!target.matches('[type=file][name]')) return;
	const large = [...target.files].some(({size}) => size > MOST);
	target.setCustomValidity(large ? (target.dataset.large ?? document.body.dataset.large) : '');
	target.reportValidity();
});
addEventListener('submit', event => {
	for (const field of event.target.querySelectorAll('[type=file]')) if (!field.reportValidity()) event.preventDefault();
});

document.querySelector('[aria-invalid=true]')?.focus();

const opened = () => [...document.querySelectorAll('details.menu[open]')];

addEventListener('keydown', event => {
	if (event.key !== 'Escape') return;
	for (const menu of opened()) {
		menu.open = false;
		menu.querySelector('summary').focus();
	}
});
addEventListener('click', ({target}) => {
	for (const menu of opened()) if (!menu.contains(target)) menu.open = false;
});
