// For pages of other sites that hold a survey in an <iframe>; it comes after the frame. It passes on language and
// theme, makes the frame as high as its first page (never higher than the window), and says how far the visit is:
// begun, sent or left, as an event `candor` of the frame, and in the form field that `data-field` names. No answer
// comes here.
//
//     <iframe src="https://survey.example.org/f/name/#v=…" title="Survey" data-field="#survey"></iframe>
//     <script src="…/host-1.js" integrity="…" crossorigin="anonymous"></script>
//
// `data-language` and `data-theme` of the frame name others than those of the page. These bytes never change, because
// pages name their hash. A script that does something else gets another name.

(script => {
	const site = new URL(script.src).origin;
	const frames = () => [...document.querySelectorAll('iframe')].filter(({src}) => src.startsWith(`${site}/f/`));
	const schemes = getComputedStyle(document.documentElement).colorScheme;

	for (const frame of frames()) {
		const {language = document.documentElement.lang, theme = {normal: 'light', light: 'light', dark: 'dark'}[schemes]} =
			frame.dataset;
		const looks = Object.entries({l: language, t: theme}).filter(([, value]) => value);
		const address = new URL(frame.src);
		const given = address.hash.replace(/&[lt]=[^&]*/g, '') || '#';
		address.hash = given + looks.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join('');
		if (address.href !== frame.src) frame.src = address.href;
		frame.style.minHeight = '24rem';
	}

	addEventListener('message', ({origin, source, data}) => {
		const frame = frames().find(({contentWindow}) => contentWindow === source);
		const {candor, height, mark} = data ?? {};
		if (origin !== site || !frame) return;
		if (candor === 'height' && height > 0) frame.style.height = `min(${Math.ceil(height)}px, 90vh)`;
		if (!['begun', 'sent', 'left'].includes(candor)) return;
		const field = frame.dataset.field && document.querySelector(frame.dataset.field);
		if (field) field.value = `${candor} ${mark}`;
		frame.dispatchEvent(new CustomEvent('candor', {bubbles: true, detail: {state: candor, mark}}));
	});
})(document.currentScript);
