// Closes a menu on Escape, with the focus back on what opened it, and on a press outside.

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
