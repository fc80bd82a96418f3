// A map on which zones are drawn, moved and resized by pointer. Who shows it keeps the zones, and enters them by keyboard.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Take over the picture. `map()` is { width, height, cell, lines } or undefined while there is none; `moved` gets a zone
 * and its place while it is dragged, and `done` once it is let go. Returns a function that shows zones, and those that
 * the server made of them.
 */
export function zoneMap(picture, { map, moved = () => {}, done }) {
  const plane = picture.appendChild(drawn("g", {}));
  let zones = [];
  let drag;

  function show(shown, merged = []) {
    const own = map();
    zones = shown;
    picture.toggleAttribute("hidden", !own);
    if (!own) return;
    const { width, height, lines = [] } = own;
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    plane.setAttribute("transform", `matrix(1 0 0 -1 0 ${height})`);
    const handle = Math.max(width, height) / 40;
    plane.replaceChildren(
      rectangle([0, 0, width, height], { class: "ground" }),
      ...lines.map((line) => drawn("polyline", { points: line.join(" "), class: "outline" })),
      ...merged.map((zone) => rectangle(zone, { class: "merged" })),
      ...zones.flatMap((zone, place) => (isWhole(zone) ? [
        rectangle(zone, { class: "zone", "data-place": place }),
        rectangle([zone[0] + zone[2] - handle / 2, zone[1] + zone[3] - handle / 2, handle, handle], { class: "handle", "data-place": place }),
      ] : [])));
  }

  function at(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(plane.getScreenCTM().inverse());
    return [x, y];
  }

  function begin(event) {
    if (event.button || !map()) return;
    event.preventDefault();
    picture.setPointerCapture(event.pointerId);
    const place = Number(event.target.dataset.place ?? zones.length);
    const how = event.target.matches(".handle") ? "size" : event.target.matches(".zone") ? "move" : "draw";
    drag = { how, place, from: at(event), zone: zones[place] ?? [] };
  }

  function follow(event) {
    if (!drag) return;
    const { width, height, cell } = map();
    const [from, to] = [drag.from, at(event)].map(([x, y]) => [within(x, 0, width), within(y, 0, height)]);
    const [across, up] = [to[0] - from[0], to[1] - from[1]];
    const [left, bottom, wide, high] = drag.zone;
    const zone = {
      draw: () => [Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.abs(across), Math.abs(up)],
      move: () => [within(left + across, 0, width - wide), within(bottom + up, 0, height - high), wide, high],
      size: () => [left, bottom, Math.max(wide + across, cell), Math.max(high + up, cell)],
    }[drag.how]().map((length) => snapped(length, cell));
    if (zone[2] < cell || zone[3] < cell) return;
    drag.made = zone;
    moved(zone, drag.place);
    show([...zones.slice(0, drag.place), zone, ...zones.slice(drag.place + 1)]);
  }

  function end() {
    const { made, place } = drag ?? {};
    drag = undefined;
    if (made) done(made, place);
  }

  picture.addEventListener("pointerdown", begin);
  picture.addEventListener("pointermove", follow);
  picture.addEventListener("pointerup", end);
  picture.addEventListener("pointercancel", end);
  return show;
}

/** To whole cells. */
export const snapped = (value, cell) => Number((Math.round(value / cell) * cell).toPrecision(12));
const within = (value, least, most) => Math.min(Math.max(value, least), most);
const isWhole = (zone) => zone.every(Number.isFinite) && zone[2] > 0 && zone[3] > 0;

function drawn(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function rectangle([x, y, width, height], attributes) {
  return drawn("rect", { x, y, width, height, ...attributes });
}
