// A button that copies what stands in a field; it is shown where the browser can.

for (const button of navigator.clipboard ? document.querySelectorAll('[data-copies]') : []) {
	button.hidden = false;
	button.addEventListener('click', async () => {
		await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).value);
		button.textContent = button.dataset.copied;
	});
}
