// The pages on which a questionnaire is written work without this. With it, rows move up and down, a new row goes to
// the end, fields that mean nothing for the chosen type or kind step aside while they are empty, the protection is that
// of what is entered, and on a phone many rows fold.

const words = document.getElementById("row-words").dataset;

const CHOOSERS = ["kind", "type", "block"]; // each says on which fields it decides, and each choice which it uses
const MOST_UNFOLDED = 3;
const rowOf = new WeakMap(); // the row of the block that an option stands for

for (const group of document.querySelectorAll(".js-inline-admin-formset")) {
  rows(group).forEach(addButtons);
  const saved = rows(group).filter((row) => row.matches(".has_original"));
  if (saved.length > MOST_UNFOLDED && matchMedia("(max-width: 767px)").matches) saved.forEach(fold);
  group.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-step]");
    if (button) move(group, button);
  });
}
document.addEventListener("formset:added", (event) => {
  const row = event.target;
  const group = row.closest(".js-inline-admin-formset");
  addButtons(row);
  const before = rows(group).filter((other) => other !== row);
  field(row, "position").value = 1 + Math.max(0, ...before.map((other) => Number(field(other, "position").value)));
  const last = before.at(-1);
  if (last && field(row, "page")) field(row, "page").value = field(last, "page").value;
  arrange(row);
});
document.addEventListener("formset:added", nameBlocks);
document.addEventListener("formset:removed", () => queueMicrotask(nameBlocks)); // the rows are numbered anew after it
document.addEventListener("input", (event) => {
  if (event.target.closest("#blocks-group")) nameBlocks();
});
nameBlocks();
document.addEventListener("change", (event) => {
  if (event.target.name?.endsWith("type")) leaveBlock(event.target);
  const scope = event.target.closest(".inline-related") ?? document.querySelector(".model-question #content-main form");
  if (scope?.contains(event.target)) arrange(scope);
});
const protection = document.querySelector("#protection[data-check]");
let waiting;
let asked = 0;
if (protection) {
  const form = document.querySelector("#survey_form");
  for (const kind of ["input", "change", "click"]) {
    form.addEventListener(kind, (event) => {
      if (kind === "click" && !event.target.closest("button[data-step]")) return;
      clearTimeout(waiting);
      waiting = setTimeout(check, 500, form);
    });
  }
}
document.querySelectorAll(".inline-related:not(.empty-form), .model-question #content-main form").forEach(arrange);

async function check(form) {
  const number = ++asked;
  const body = new URLSearchParams(new FormData(form)); // as the form itself is sent: the site takes no other
  const answer = await fetch(protection.dataset.check, { method: "POST", body }).catch(() => null);
  if (!answer?.ok || number !== asked) return; // the server is away, or a later answer is on its way
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (number !== asked) return;
  protection.replaceChildren(...page.body.childNodes);
  document.getElementById("protection-told").textContent = protection.querySelector(".promise").textContent;
}

function rows(group) {
  return [...group.querySelectorAll(".inline-related:not(.empty-form)")];
}

function field(scope, name) {
  return [...scope.querySelectorAll("input, select")].find((input) => input.name.split("-").at(-1) === name);
}

// A question chooses among the blocks as they stand on the page, also those that are not saved yet. Where its block is
// taken away it falls to the first one: what was to be disguised is never left open by that.
function nameBlocks() {
  const group = document.getElementById("blocks-group");
  if (!group) return;
  const blocks = rows(group);
  for (const select of document.querySelectorAll("#questions-group select[name$='-block']")) {
    const before = select.selectedOptions[0];
    const known = rowOf.get(before);
    const chosen = known && !blocks.includes(known) ? blocks[0] : known;
    select.length = 1;
    for (const block of blocks) {
      const value = field(block, "id").value || block.id;
      const selected = chosen ? block === chosen : value === before?.value;
      const option = new Option(field(block, "name").value || words.unnamed, value, selected, selected);
      rowOf.set(option, block);
      select.append(option);
    }
  }
}

function addButtons(row) {
  const heading = row.querySelector("h3");
  if (row.closest("#pages-group")) return; // a title keeps the number of its page
  if (!heading || heading.querySelector("[data-step]")) return;
  for (const [step, sign] of [["up", "↑"], ["down", "↓"]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.step = step;
    button.textContent = sign;
    button.title = words[step];
    button.setAttribute("aria-label", words[step]);
    heading.append(button);
  }
}

// What a row is about stays to be seen; where something is refused it is open.
function fold(row) {
  const [, ...fields] = row.children;
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = (row.querySelector("textarea") ?? row.querySelector("input[type=text]")).value || "…";
  details.open = Boolean(row.querySelector(".errorlist"));
  details.append(summary, ...fields);
  row.append(details);
}

function move(group, button) {
  const row = button.closest(".inline-related");
  const all = rows(group);
  const other = all[all.indexOf(row) + (button.dataset.step === "up" ? -1 : 1)];
  if (!other) return;
  if (button.dataset.step === "up") other.before(row);
  else other.after(row);
  const [page, target] = [field(row, "page"), field(other, "page")];
  if (page) page.value = target.value;
  rows(group).forEach((each, place) => { field(each, "position").value = place + 1; });
  button.focus();
}

// A new question begins in a block. With a type that no block disguises it leaves it, and with another it comes back.
function leaveBlock(type) {
  const row = type.closest("#questions-group .inline-related:not(.has_original)");
  if (!row) return;
  const block = field(row, "block");
  if (!usedBy(type).includes("block") || "open" in type.selectedOptions[0].dataset) {
    row.dataset.left ??= block.value;
    block.value = "";
  } else if (row.dataset.left) {
    block.value = row.dataset.left;
    if (!block.value) block.selectedIndex = 1;
    delete row.dataset.left;
  }
}

function arrange(scope) {
  const idle = new Map();
  for (const chooser of CHOOSERS.map((name) => field(scope, name)).filter(Boolean)) {
    const used = usedBy(chooser);
    for (const name of chooser.dataset.decides?.split(" ") ?? []) {
      for (const box of boxes(scope, name)) {
        // What is entered for another kind of block is not kept; whatever else is entered stays to be seen.
        const aside = !used.includes(name) && (field(scope, "kind") || !holds(box)) && !box.querySelector(".errorlist");
        idle.set(box, idle.get(box) || aside);
      }
    }
  }
  idle.forEach((aside, box) => { box.hidden = aside; });
  const type = field(scope, "type");
  if (type && scope.matches("form")) explainRows(type);
  // A row, and a part of the page, step aside with all that is in them.
  for (const line of scope.querySelectorAll(".form-multiline")) {
    line.closest(".form-row").hidden = [...line.children].every((box) => box.hidden);
  }
  for (const part of scope.querySelectorAll("fieldset.module.aligned")) {
    part.hidden = [...part.querySelectorAll(":scope > .form-row")].every((row) => row.hidden);
  }
}

function boxes(scope, name) {
  const inner = [...scope.querySelectorAll(`.fieldBox.field-${name}`)].map((box) => box.parentElement);
  return inner.length ? inner : [...scope.querySelectorAll(`.form-row.field-${name}`)];
}

function holds(box) {
  const entered = [...box.querySelectorAll("input:not([type=checkbox]), textarea, select")].some((input) => input.value);
  return entered || (box.matches(".field-when") && Boolean(box.querySelector(":checked")));
}

function usesOf(option) {
  return option.dataset.uses?.split(" ") ?? [];
}

function usedBy(chooser) {
  return usesOf(chooser.selectedOptions[0]);
}

// What the rows below a question are depends on its type.
function explainRows(type) {
  const heading = document.querySelector("#options-group h2");
  if (!heading) return;
  heading.parentElement.querySelector(".rows")?.remove();
  const said = document.createElement("p");
  said.className = "rows quiet";
  said.textContent = type.selectedOptions[0].dataset.rows;
  heading.after(said);
}
