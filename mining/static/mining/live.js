// Shows where a run stands until it ends, then shows the report.
const state = document.getElementById("state");
const level = document.getElementById("state-level");

async function look() {
  try {
    const answer = await fetch(state.dataset.progress, { headers: { Accept: "application/json" } });
    const run = await answer.json();
    if (!run.open) {
      location.reload();
      return;
    }
    document.getElementById("state-word").textContent = run.state;
    document.getElementById("state-share").value = run.share;
    const words = run.level
      ? level.dataset.words.replace("{level}", run.level).replace("{candidates}", run.candidates)
      : "";
    if (level.textContent !== words) {
      level.textContent = words; // it is read out whenever it is written
    }
  } catch {
    // The server may be busy for a moment; the next look will tell.
  }
  setTimeout(look, 700);
}

look();
