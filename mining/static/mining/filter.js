// Shows what a filter finds as soon as it is chosen, in place: the page, the field and the focus stay where they are.
// Without this script the button of the form does the same.
for (const form of document.querySelectorAll('form[data-found]')) {
	let newest = 0;
	form.addEventListener('change', async () => {
		const asked = ++newest;
		const address = `${location.pathname}?${new URLSearchParams(new FormData(form))}`;
		const answer = await fetch(address);
		const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
		if (asked !== newest) return;
		const found = answer.ok && page.getElementById(form.dataset.found);
		if (!found) return form.submit(); // perhaps no longer logged in: the page says so
		const here = document.getElementById(form.dataset.found);
		const status = here.querySelector('[role=status]');
		status.textContent = found.querySelector('[role=status]').textContent;
		found.querySelector('[role=status]').replaceWith(status); // the same element, so that it is read aloud
		here.replaceChildren(...found.childNodes);
		history.replaceState(null, '', address);
	});
}
