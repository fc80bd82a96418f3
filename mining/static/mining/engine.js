// Says before a run begins which engine will search, while its form is filled in.
const form = document.querySelector('form[data-engine]');
let newest = 0;
form.addEventListener('change', async () => {
	const asked = ++newest;
	const answer = await fetch(form.dataset.engine, {method: 'POST', body: new URLSearchParams(new FormData(form))});
	const said = answer.ok ? (await answer.json()).said : '';
	if (asked === newest) document.getElementById('engine-said').textContent = said;
});
