// What takes longer than a change may: the last figures stay, marked, until those of the newest draft have come.

const PAUSE = 150; // ms in which another change may come

/** Bring what stands at the address into the place; what another change has overtaken is dropped. */
export function later(place, {later: address, key}) {
	if (place.dataset.key === key) return;
	place.dataset.key = key;
	place.setAttribute('aria-busy', 'true');
	setTimeout(async () => {
		if (place.dataset.key !== key) return;
		const html = await fetch(address).then(
			answer => (answer.ok && !answer.redirected ? answer.text() : null),
			() => null,
		);
		if (place.dataset.key !== key) return;
		if (html === null) {
			place.dataset.key = '';
			return;
		} // they stay marked, and the next change asks again
		place.removeAttribute('aria-busy');
		refill(place, new DOMParser().parseFromString(html, 'text/html').body);
	}, PAUSE);
}

/** Show the fresh part in its place: what was unfolded there stays so, and what had the focus keeps it. */
export function refill(place, fresh) {
	const focus = place.contains(document.activeElement) ? document.activeElement : null;
	const open = [...place.querySelectorAll('details')].map(details => details.open);
	fresh.querySelectorAll('details').forEach((details, at) => {
		details.open = open[at] ?? details.open;
	});
	place.replaceChildren(...fresh.childNodes);
	if (focus) refocused(place, focus);
}

/** The same field, or the same place in the panel. */
function refocused(panel, focus) {
	if (document.contains(focus)) return;
	const same = [...panel.querySelectorAll('[data-change]')].find(
		field => field.dataset.change === focus.dataset.change && (field.matches('button') || field.value === focus.value),
	);
	(same ?? panel.querySelector('a, button, input, summary'))?.focus();
}

let asked = 0;

/** What the fields of the open question cost: asked when it opens, and after each change. */
export function priced() {
	for (const place of document.querySelectorAll('[data-price]'))
		later(place, {later: place.dataset.price, key: `${++asked}`});
}

/** What waits when the page opens. */
export function latecomers() {
	for (const waits of document.querySelectorAll('[data-later]')) later(waits.parentElement, waits.dataset);
}
