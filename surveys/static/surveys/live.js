// Shows where a run or a release stands until it ends, then shows what came of it. Where there is nothing more to
// learn, it says so.
const state = document.getElementById('state');
const share = document.getElementById('state-share');
const words = state.dataset;
const SHORTEST = 700; // ms between two looks
const LONGEST = 30000; // as long as no answer comes
let pause = SHORTEST;

// What is read aloud when it changes must not be written again while it stays the same.
function say(id, text) {
	const place = document.getElementById(id);
	if (place.textContent !== text) place.textContent = text;
}

function later() {
	say('state-doing', words.away);
	say('state-counted', '');
	pause = Math.min(2 * pause, LONGEST);
	setTimeout(look, pause);
}

function stop(why) {
	say('state-doing', why);
	say('state-counted', '');
	share.remove();
}

async function look() {
	let answer, run;
	try {
		answer = await fetch(words.progress, {redirect: 'manual'});
		if (answer.type === 'opaqueredirect' || answer.status === 403) return stop(words.out); // to where one logs in
		if (answer.status === 404) return stop(words.gone);
		if (!answer.ok) return later(); // the server may be starting again
		run = await answer.json();
	} catch {
		return later();
	}
	if (!run.open) return location.reload();
	say('state-word', run.state);
	say('state-doing', run.doing);
	say('state-counted', run.counted);
	if (run.share) share.value = run.share;
	else share.removeAttribute('value'); // how long it takes is not known: the bar only shows that something goes on
	pause = SHORTEST;
	setTimeout(look, pause);
}

look();
