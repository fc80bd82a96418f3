// What every page of staff does: times are those of the reader's zone, in as many letters as before, so that nothing
// moves; a menu closes on Escape, with the focus back on what opened it, and on a press outside.

for (const time of document.querySelectorAll('time[data-utc]')) {
	const at = new Date(time.dateTime);
	const minutes = -at.getTimezoneOffset();
	const shifted = ms => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
	const offset = (minutes < 0 ? '-' : '+') + shifted(Math.abs(minutes) * 6e4).slice(11);
	const zone = time.dataset.utc && ` UTC${offset}`;
	time.textContent = shifted(at.getTime() + minutes * 6e4) + zone;
	time.title = Intl.DateTimeFormat().resolvedOptions().timeZone;
}

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
