// The respondent's own page beside the questionnaire, begun anew when the draft has changed and nobody types.

const QUIET = 1500; // ms without a change

export function previewing() {
	const preview = document.getElementById('preview');
	const place = preview.querySelector('.frame');
	const address = document.getElementById('studio').dataset.preview;
	let timer;
	let isBegun = false; // whether somebody had gone on to the questions

	/** A new frame each time: one that is removed asks nobody whether answers may be lost. */
	function begin(goOn) {
		const frame = document.createElement('iframe');
		frame.title = place.dataset.title;
		frame.src = address;
		place.replaceChildren(frame);
		if (goOn) frame.addEventListener('load', () => press(frame, 40));
	}

	/** Go on to the questions again; the page builds itself after it was loaded. */
	function press(frame, tries) {
		const button = frame.contentDocument?.querySelector('main .buttons button.main');
		if (button) button.click();
		else if (tries) setTimeout(() => press(frame, tries - 1), 50);
	}

	const hasBegun = () => Boolean(place.querySelector('iframe')?.contentDocument?.querySelector('.question'));

	preview.addEventListener('toggle', () => (preview.open ? begin() : place.replaceChildren()));
	preview.querySelector('[data-again]').addEventListener('click', () => begin());
	preview.addEventListener('change', ({target}) => {
		place.className = `frame ${target.value}`;
	});
	document.addEventListener('studio:changed', () => {
		if (!preview.open) return;
		isBegun = hasBegun();
		clearTimeout(timer);
		timer = setTimeout(() => begin(isBegun), QUIET);
	});
}
