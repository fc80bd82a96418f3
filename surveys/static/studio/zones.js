// The map of a question for a place: its zones are drawn by pointer, beside the fields that take their numbers.

import { zoneMap } from "../surveys/zone_map.js";

/** `make` sends a change. */
export function zoning(make) {
  const taken = new WeakSet();

  function take() {
    for (const picture of document.querySelectorAll("#sheet svg.zone-map")) {
      if (taken.has(picture)) continue;
      taken.add(picture);
      const { map, zones, merged } = JSON.parse(picture.dataset.map);
      const { question } = picture.closest("[data-question]").dataset;
      zoneMap(picture, {
        map: () => map,
        done: (value, zone) => make({ do: "zone", question, zone, value }),
      })(zones, merged);
    }
  }

  document.addEventListener("studio:changed", take);
  take();
}
