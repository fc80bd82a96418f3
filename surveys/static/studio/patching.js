// What the server shows of the draft takes the place of what stands here: only the parts that differ, and never the
// field in which somebody is typing.

const sheet = document.getElementById("sheet");

/** Show the answer. `all`: also in the field that has the focus, because its text was given up. */
export function show(answer, all) {
  const made = new DOMParser().parseFromString(`<div>${answer.sheet}</div>`, "text/html").body.firstChild;
  const focus = remembered();
  arrange(sheet, [...made.children].map((part) => merged(part, all)));
  for (const [name, html] of Object.entries(answer.panels)) {
    const panel = document.querySelector(`[data-panel="${name}"] .inside`);
    if (panel && !panel.contains(document.activeElement)) put(panel, html);
  }
  for (const way of ["undo", "redo"]) document.getElementById(way).disabled = !answer[way];
  const title = document.getElementById("working-title");
  if (title !== document.activeElement) title.value = answer.title;
  if (focus && !document.contains(focus.element)) find(focus)?.focus();
}

function put(element, html) {
  if (element.dataset.html === html) return;
  element.dataset.html = html;
  element.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
}

/** What stands for the fresh part: the old one wherever it can stay. */
function merged(fresh, all) {
  const own = fresh.dataset.part && sheet.querySelector(`[data-part="${CSS.escape(fresh.dataset.part)}"]`);
  if (fresh.matches(".page")) {
    const children = [...fresh.children];
    const list = own?.querySelector(".questions") ?? fresh.querySelector(".questions");
    const questions = [...fresh.querySelector(".questions").children].map((question) => merged(question, all));
    arrange(list, questions);
    if (!own) return fresh;
    own.setAttribute("aria-label", fresh.getAttribute("aria-label"));
    arrange(own, children.map((child) => (child.matches(".questions") ? list : merged(child, all))));
    return own;
  }
  return own ? kept(own, fresh, all) : fresh;
}

/** The part to show: the old one where it says the same or is in use, else the fresh one. */
function kept(own, fresh, all) {
  if (own.matches(".add")) return own;
  const isUsed = own.contains(document.activeElement) && document.activeElement.matches("textarea, input:not([type=checkbox], [type=radio])");
  if (isUsed && !all) {
    const names = own.querySelectorAll(".label, .visually-hidden"); // their number may be another
    fresh.querySelectorAll(".label, .visually-hidden").forEach((name, place) => { if (names[place]) names[place].textContent = name.textContent; });
    for (const live of fresh.querySelectorAll("[data-live]")) own.querySelector(`[data-live="${live.dataset.live}"]`)?.replaceWith(live);
    return own;
  }
  if (said(own) === said(fresh)) return own;
  for (const details of own.querySelectorAll("details[open]")) fresh.querySelector(`details.${details.className}`)?.setAttribute("open", "");
  if (own.matches("details[open]")) fresh.open = true;
  return fresh;
}

/** What a part says, with what was typed and ticked. */
function said(part) {
  const copy = part.cloneNode(true);
  for (const name of ["open", "draggable", "class"]) copy.removeAttribute(name);
  copy.querySelectorAll("details").forEach((details) => details.removeAttribute("open"));
  const fields = [...part.querySelectorAll("textarea, input, select")].map((field) => (field.matches("[type=checkbox], [type=radio]") ? field.checked : field.value));
  copy.querySelectorAll("textarea, input, select, option").forEach((field) => {
    field.removeAttribute("value");
    field.removeAttribute("checked");
    field.removeAttribute("selected");
    field.removeAttribute("style");
    if (field.matches("textarea")) field.textContent = "";
  });
  return copy.outerHTML + JSON.stringify(fields);
}

/** Make these the children, in this order, without moving one that stands right: a moved field loses the focus. */
function arrange(parent, wanted) {
  for (const child of [...parent.children]) if (!wanted.includes(child)) child.remove();
  wanted.forEach((child, place) => { if (parent.children[place] !== child) parent.insertBefore(child, parent.children[place] ?? null); });
}

/** Which field has the focus, so that its successor gets it. */
function remembered() {
  const element = document.activeElement;
  if (!sheet.contains(element)) return null;
  return { element, change: element.dataset.change, question: element.closest("[data-question]")?.dataset.question };
}

function find({ change, question }) {
  const same = change && [...sheet.querySelectorAll("[data-change]")].find((field) => field.dataset.change === change);
  return same || (question && document.getElementById(`q-${question}`)) || document.getElementById("add-lines");
}
