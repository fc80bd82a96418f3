// Zones on the page of a question: rectangles drawn on the map by pointer, or written as numbers beside it. Without this
// the field takes four numbers a line; it is what is sent either way. What becomes of the zones the server tells.

const PARTS = ["left", "bottom", "width", "height"];
const SVG = "http://www.w3.org/2000/svg";
const field = document.querySelector("textarea.zones");
const made = document.getElementById("zone-editor");

function edit(form) {
  const editor = made.content.cloneNode(true).firstElementChild;
  const picture = editor.querySelector("svg");
  const plane = picture.querySelector("g");
  const list = editor.querySelector(".zone-rows");
  const said = editor.querySelector("[role=status]");
  let drag;
  let merged = [];
  let waiting;
  let asked = 0;

  field.hidden = true;
  field.after(editor);
  lines(field.value).forEach(addRow);
  show();
  if (rows().length) ask(0);

  editor.querySelector("[data-add]").addEventListener("click", () => {
    const { width, height, cell } = size() ?? { width: 100, height: 100, cell: 1 };
    const [wide, high] = [width, height].map((length) => snapped(length / 4, cell));
    addRow([snapped((width - wide) / 2, cell), snapped((height - high) / 2, cell), wide, high]);
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
  picture.addEventListener("pointerdown", begin);
  picture.addEventListener("pointermove", follow);
  picture.addEventListener("pointerup", end);
  picture.addEventListener("pointercancel", () => { drag = undefined; show(); });

  function rows() {
    return [...list.children];
  }

  function zoneOf(row) {
    return PARTS.map((part) => row.querySelector(`[data-part=${part}]`).valueAsNumber);
  }

  function write(row, zone) {
    PARTS.forEach((part, place) => { row.querySelector(`[data-part=${part}]`).value = zone[place]; });
  }

  function addRow(zone) {
    const row = document.getElementById("zone-row").content.cloneNode(true).firstElementChild;
    list.append(row);
    write(row, zone);
    return row;
  }

  function number(name) {
    return Number(form.elements[`map:${name}`]?.value || NaN);
  }

  /** Undefined until the map has a width and a height. */
  function size() {
    const [width, height, cell] = ["width", "height", "cell"].map(number);
    return width > 0 && height > 0 ? { width, height, cell: cell > 0 ? cell : 1 } : undefined;
  }

  function changed() {
    field.value = rows().map((row) => zoneOf(row).map((length) => (Number.isNaN(length) ? "" : length)).join(" "))
      .filter((line) => line.trim()).join("\n");
    merged = [];
    show();
    ask(400);
  }

  function show() {
    const own = size();
    rows().forEach((row, place) => { row.querySelector("[data-number]").textContent = place + 1; });
    picture.toggleAttribute("hidden", !own);
    if (!own) return;
    const { width, height } = own;
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    plane.setAttribute("transform", `matrix(1 0 0 -1 0 ${height})`);
    const handle = Math.max(width, height) / 40;
    const zones = rows().map(zoneOf);
    plane.replaceChildren(
      rectangle([0, 0, width, height], { class: "ground" }),
      ...outline().map((line) => drawn("polyline", { points: line.join(" "), class: "outline" })),
      ...merged.map((zone) => rectangle(zone, { class: "merged" })),
      ...zones.flatMap((zone, place) => (isWhole(zone) ? [
        rectangle(zone, { class: "zone", "data-place": place }),
        rectangle([zone[0] + zone[2] - handle / 2, zone[1] + zone[3] - handle / 2, handle, handle], { class: "handle", "data-place": place }),
      ] : [])));
  }

  function outline() {
    if (form.elements["map:plain"]?.checked) return [];
    return JSON.parse(form.elements["map:stored"]?.value || "{}").lines ?? [];
  }

  function at(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(plane.getScreenCTM().inverse());
    return [x, y];
  }

  function begin(event) {
    if (event.button || !size()) return;
    event.preventDefault();
    picture.setPointerCapture(event.pointerId);
    const place = event.target.dataset.place;
    const how = event.target.matches(".handle") ? "size" : place === undefined ? "draw" : "move";
    const zone = place === undefined ? undefined : zoneOf(rows()[place]);
    drag = { how, from: at(event), zone, row: place === undefined ? undefined : rows()[place] };
  }

  function follow(event) {
    if (!drag) return;
    const { width, height, cell } = size();
    const [from, to] = [drag.from, at(event)].map(([x, y]) => [within(x, 0, width), within(y, 0, height)]);
    const [across, up] = [to[0] - from[0], to[1] - from[1]];
    const [left, bottom, wide, high] = drag.zone ?? [];
    const zone = {
      draw: () => [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.abs(across), Math.abs(up)],
      move: () => [within(left + across, 0, width - wide), within(bottom + up, 0, height - high), wide, high],
      size: () => [left, bottom, Math.max(wide + across, cell), Math.max(high + up, cell)],
    }[drag.how]().map((length) => snapped(length, cell));
    if (zone[2] < cell || zone[3] < cell) return;
    drag.row ??= addRow(zone);
    write(drag.row, zone);
    merged = [];
    show();
  }

  function end() {
    if (drag?.row) changed();
    drag = undefined;
  }

  /** What the server makes of the zones; it also says what is wrong with them. */
  function ask(after) {
    clearTimeout(waiting);
    asked += 1;
    const number = asked;
    waiting = setTimeout(async () => {
      const body = new FormData(form);
      body.delete("map:file");
      const answer = await fetch(editor.dataset.check, { method: "POST", body }).catch(() => null);
      if (!answer?.ok || number !== asked) return;
      const found = await answer.json();
      if (number !== asked) return;
      merged = found.merged;
      said.textContent = found.said;
      show();
    }, after);
  }
}

function lines(text) {
  return text.split("\n").filter((line) => line.trim()).map((line) => line.trim().split(/[\s,]+/).map(Number));
}

const isWhole = (zone) => zone.every(Number.isFinite) && zone[2] > 0 && zone[3] > 0;
const within = (value, least, most) => Math.min(Math.max(value, least), most);
const snapped = (value, cell) => Number((Math.round(value / cell) * cell).toPrecision(12));

function drawn(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function rectangle([x, y, width, height], attributes) {
  return drawn("rect", { x, y, width, height, ...attributes });
}

if (field && made) edit(field.form);
