// The page is built with elements and text nodes only: no markup is ever parsed from a string.

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

/** An element; an attribute that is a function is an event listener of that name. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

/** A paragraph of one kind: lead, quiet, help, caution, banner, … */
export const p = (kind, ...children) => h('p', { class: kind }, children);

const ICONS = {
  mask: 'M3 6c3-1.5 6-1.5 9 0 3-1.5 6-1.5 9 0 0 7-2.5 11-5 11-1.8 0-2.8-1.5-4-1.5S9.8 17 8 17C5.5 17 3 13 3 6zm3.5 5'
    + 'c1.2-1.2 2.8-1.2 4 0m3 0c1.2-1.2 2.8-1.2 4 0',
  open: 'M2.5 12c3-4.7 6-6.5 9.5-6.5s6.5 1.8 9.5 6.5c-3 4.7-6 6.5-9.5 6.5S5.5 16.7 2.5 12zm9.5-3a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  done: 'M4.5 12.5l5 5 10-11',
};

export const icon = (name) =>
  svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] }));

export const button = (label, click, kind = 'main') => h('button', { type: 'button', class: kind, click }, label);

/** Show one step of the way; the heading takes the focus, so that a screen reader starts there. */
export function show(heading, ...children) {
  const title = h('h1', { tabindex: '-1' }, heading);
  document.querySelector('#main').replaceChildren(title, ...children.flat(Infinity).filter(Boolean));
  scrollTo(0, 0);
  title.focus({ preventScroll: true });
}
