// Back is a step back: from its second step on the page has a second entry in the history. Back leads to the first,
// and while there is a step back the page returns. Browsers pass over entries added without a press.

const EMPTY = '/client/empty.html';
let isSecond = history.state?.second; // where the browser is
let hasSecond = isSecond;

export function standSecond() {
	if (isSecond) return;
	if (hasSecond) history.forward();
	else history.pushState({second: true}, '');
	isSecond = hasSecond = true;
}

/** Whenever Back was pressed: `step`. */
export const onBack = step =>
	addEventListener('popstate', () => {
		isSecond = history.state?.second;
		if (!isSecond) step();
	});

/** To a page from which nothing leads here again. */
export function goAway() {
	const end = () => location.replace('about:blank');
	if (!hasSecond) return end();
	// The second entry becomes an empty page, the first goes.
	history[isSecond ? 'replaceState' : 'pushState'](null, '', EMPTY);
	addEventListener('popstate', () => setTimeout(end)); // Firefox has gone back only when the event is over
	setTimeout(end, 500); // ms, if it does not go back
	history.back();
}
