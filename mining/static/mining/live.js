// Shows where a run stands until it ends, then shows the report.
const state = document.getElementById("state");
const share = document.getElementById("state-share");

// What is read aloud when it changes must not be written anew while it stays the same.
function say(id, words) {
  const place = document.getElementById(id);
  if (place.textContent !== words) place.textContent = words;
}

async function look() {
  try {
    const answer = await fetch(state.dataset.progress, { headers: { Accept: "application/json" } });
    const run = await answer.json();
    if (!run.open) {
      location.reload();
      return;
    }
    say("state-word", run.state);
    say("state-doing", run.doing);
    say("state-counted", run.counted);
    if (run.share) share.value = run.share;
    else share.removeAttribute("value"); // how long it takes is not known: the bar only shows that something goes on
  } catch {
    // The server may be busy for a moment; the next look will tell.
  }
  setTimeout(look, 700);
}

look();
