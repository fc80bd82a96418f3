// The respondent's own page beside the questionnaire, restarted when the draft has changed and nobody types.

const QUIET = 1500; // ms without a change
const SETTLED = 500; // ms in which a page that is there gives its heading the focus

export function previewing() {
	const preview = document.getElementById('preview');
	const place = preview.querySelector('.glass');
	let timer;
	let isBegun = false; // whether somebody had gone on to the questions
	let held; // what has the focus beside the preview

	/** A new frame each time: one that is removed asks nobody whether answers may be lost. */
	function begin(goOn) {
		const frame = place.firstElementChild.cloneNode();
		frame.inert = true; // until the page is there: its heading takes the focus, which is needed where somebody writes
		place.replaceChildren(frame);
		frame.addEventListener('load', () => shown(frame, goOn, 600));
	}

	/** Once the page has built itself it goes on to the questions again, and then takes the focus when asked. */
	function shown(frame, goOn, tries) {
		const inside = frame.contentDocument;
		const button = inside?.querySelector('main .buttons button.main');
		const isThere = goOn ? inside?.querySelector('.question') : button;
		if (goOn && !isThere) button?.click();
		if (isThere || !tries) setTimeout(() => (frame.inert = false), SETTLED);
		else setTimeout(() => shown(frame, goOn, tries - 1), 50);
	}

	document.addEventListener('focusin', ({target}) => {
		held = target;
	});
	// The page in an inert frame takes the focus all the same, so it is given back.
	addEventListener('blur', () =>
		setTimeout(() => {
			const frame = place.firstElementChild;
			if (!frame.inert || document.activeElement !== frame) return;
			frame.blur();
			held?.focus({preventScroll: true});
		}),
	);
	preview.querySelector('[data-again]').addEventListener('click', () => begin());
	document.addEventListener('studio:changed', () => {
		isBegun = Boolean(place.firstElementChild.contentDocument?.querySelector('.question'));
		clearTimeout(timer);
		timer = setTimeout(() => begin(isBegun), QUIET);
	});
	begin();
}
