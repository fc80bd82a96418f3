// Zones on the page of a question: rectangles drawn on the map by pointer, or written as numbers beside it. Without this
// the field takes four numbers a line; it is what is sent either way. What becomes of the zones the server tells.

import { snapped, zoneMap } from "./zone_map.js";

const PARTS = ["left", "bottom", "width", "height"];
const field = document.querySelector("textarea.zones");
const made = document.getElementById("zone-editor");

function edit(form) {
  const editor = made.content.cloneNode(true).firstElementChild;
  const list = editor.querySelector(".zone-rows");
  const said = editor.querySelector("[role=status]");
  const show = zoneMap(editor.querySelector("svg"), {
    map,
    moved: (zone, place) => { write(rows()[place] ?? addRow(), zone); number(); },
    done: changed,
  });
  let waiting;
  let asked = 0;

  field.hidden = true;
  field.after(editor);
  lines(field.value).forEach((zone) => write(addRow(), zone));
  draw();
  if (rows().length) ask(0);

  editor.querySelector("[data-add]").addEventListener("click", () => {
    const { width, height, cell } = map() ?? { width: 100, height: 100, cell: 1 };
    const [wide, high] = [width, height].map((length) => snapped(length / 4, cell));
    write(addRow(), [snapped((width - wide) / 2, cell), snapped((height - high) / 2, cell), wide, high]);
    list.lastElementChild.querySelector("input").focus();
    changed();
  });
  list.addEventListener("input", changed);
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[data-remove]")?.closest(".zone-row");
    if (!row) return;
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    (next?.querySelector("[data-remove]") ?? editor.querySelector("[data-add]")).focus();
    changed();
  });
  form.addEventListener("change", (event) => {
    if (event.target.name?.startsWith("map:") || event.target.name === "block") changed();
  });

  function rows() {
    return [...list.children];
  }

  function zoneOf(row) {
    return PARTS.map((part) => row.querySelector(`[data-part=${part}]`).valueAsNumber);
  }

  function write(row, zone) {
    PARTS.forEach((part, place) => { row.querySelector(`[data-part=${part}]`).value = zone[place]; });
  }

  function addRow() {
    list.append(document.getElementById("zone-row").content.cloneNode(true).firstElementChild);
    return list.lastElementChild;
  }

  /** Undefined until the map has a width and a height. */
  function map() {
    const [width, height, cell] = ["width", "height", "cell"].map((name) => Number(form.elements[`map:${name}`]?.value || NaN));
    const outline = form.elements["map:plain"]?.checked ? "{}" : form.elements["map:stored"]?.value || "{}";
    return width > 0 && height > 0 ? { width, height, cell: cell > 0 ? cell : 1, lines: JSON.parse(outline).lines } : undefined;
  }

  function changed() {
    field.value = rows().map((row) => zoneOf(row).map((length) => (Number.isNaN(length) ? "" : length)).join(" "))
      .filter((line) => line.trim()).join("\n");
    draw();
    ask(400);
  }

  function draw(merged) {
    number();
    show(rows().map(zoneOf), merged);
  }

  function number() {
    rows().forEach((row, place) => { row.querySelector("[data-number]").textContent = place + 1; });
  }

  /** What the server makes of the zones; it also says what is wrong with them. */
  function ask(after) {
    clearTimeout(waiting);
    asked += 1;
    const mine = asked;
    waiting = setTimeout(async () => {
      const body = new URLSearchParams(new FormData(form)); // no file: the site takes one with the form alone
      const answer = await fetch(editor.dataset.check, { method: "POST", body }).catch(() => null);
      if (!answer?.ok || mine !== asked) return;
      const found = await answer.json();
      if (mine !== asked) return;
      said.textContent = found.said;
      draw(found.merged);
    }, after);
  }
}

function lines(text) {
  return text.split("\n").filter((line) => line.trim()).map((line) => line.trim().split(/[\s,]+/).map(Number));
}

if (field && made) edit(field.form);
