// A question can also be dragged by its line; buttons and keys do the same without a pointer.

/** `make` sends a change. */
export function dragging(make) {
	const sheet = document.getElementById('sheet');
	let dragged;

	const over = ({target}) => {
		const question = target.closest?.('[data-question]');
		return question && question !== dragged ? question : null;
	};
	// Only the line of a question drags it: text in its fields is still selected with the pointer.
	sheet.addEventListener('pointerdown', ({target}) => {
		for (const question of sheet.querySelectorAll('[draggable]')) question.removeAttribute('draggable');
		const question = target.closest('.q > summary') && target.closest('[data-question]');
		if (question) question.draggable = true;
	});
	sheet.addEventListener('dragstart', event => {
		dragged = event.target.closest('[data-question]');
		event.dataTransfer.effectAllowed = 'move';
	});
	sheet.addEventListener('dragover', event => {
		const question = dragged && over(event);
		mark(question, question && side(question, event));
		if (question) event.preventDefault();
	});
	sheet.addEventListener('drop', event => {
		const question = dragged && over(event);
		if (!question) return;
		event.preventDefault();
		make({do: 'move', question: dragged.dataset.question, to: {[side(question, event)]: question.dataset.question}});
	});
	sheet.addEventListener('dragend', () => {
		dragged = null;
		mark();
	});

	const side = (question, {clientY}) => {
		const {top, height} = question.getBoundingClientRect();
		return clientY < top + height / 2 ? 'before' : 'after';
	};
	function mark(question, where) {
		for (const other of sheet.querySelectorAll('.before, .after')) other.classList.remove('before', 'after');
		question?.classList.add(where);
	}
}
