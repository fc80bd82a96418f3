// Questions are added by typing: Enter adds one, a pasted list one for each line.

/** `make` sends a change. */
export function adding(make) {
	const [lines, type, sensitive, skip] = ['add-lines', 'add-type', 'add-sensitive', 'add-skip'].map(id =>
		document.getElementById(id),
	);
	const form = lines.form;
	const rows = document.getElementById('add-rows');
	const where = form.querySelector('[data-where]');
	const atEnd = where.textContent;
	let after;
	let wanted = true; // whether questions that can be disguised are to be
	let skipped = true; // and whether they get "prefer not to say"

	function chosen() {
		const {hides, skips, rows: label} = type.selectedOptions[0].dataset;
		sensitive.disabled = !hides;
		sensitive.checked = Boolean(hides) && wanted;
		skip.disabled = !(skips && sensitive.checked);
		skip.checked = !skip.disabled && skipped;
		rows.hidden = !label;
		rows.querySelector('.label').textContent = label;
	}

	function add() {
		const text = lines.value.trim();
		if (!text) return lines.focus();
		const own = rows.hidden ? '' : rows.querySelector('textarea').value;
		make(
			{
				do: 'add',
				type: type.value,
				lines: text,
				sensitive: sensitive.checked,
				skip: skip.checked,
				rows: own,
				...(after && {after}),
			},
			() => {
				form.scrollIntoView({block: 'nearest'});
			},
		);
		lines.value = rows.querySelector('textarea').value = '';
		place();
		lines.focus();
	}

	/** Where the next question comes: below this one, or at the end. */
	function place(question, number) {
		after = question;
		where.textContent = question ? form.dataset.below.replace('{number}', number) : atEnd;
	}

	form.addEventListener('submit', event => {
		event.preventDefault();
		add();
	});
	lines.addEventListener('keydown', event => {
		if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
		event.preventDefault();
		if (rows.hidden || rows.querySelector('textarea').value) add();
		else rows.querySelector('textarea').focus(); // a choice without options would be unfinished
	});
	rows.addEventListener('keydown', event => {
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			add();
		}
	});
	type.addEventListener('change', chosen);
	sensitive.addEventListener('change', () => {
		wanted = sensitive.checked;
		chosen();
	});
	skip.addEventListener('change', () => {
		skipped = skip.checked;
	});
	document.getElementById('sheet').addEventListener('click', ({target}) => {
		const button = target.closest('button[data-after]');
		if (!button) return;
		const all = [...document.querySelectorAll('[data-question]')];
		place(button.dataset.after, 1 + all.indexOf(button.closest('[data-question]')));
		lines.focus();
	});
	chosen();
}
