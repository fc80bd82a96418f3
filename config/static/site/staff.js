// What every page of staff does: times are those of the reader's zone, in as many letters as before, so that nothing
// moves; a menu closes on Escape, with the focus back on what opened it, and on a press outside.

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
