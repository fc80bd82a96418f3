// The file of a batch comes without a new page: its button gives way to the sentence that a new page would show.

document.addEventListener("submit", ({ target }) => {
  if (!target.closest(".batches")) return;
  const said = target.nextElementSibling;
  target.hidden = true;
  said.hidden = false;
  said.focus();
});
