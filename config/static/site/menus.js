// Closes a menu on Escape, with the focus back on what opened it, and on a press outside.
const open = () => document.querySelectorAll("details.menu[open]");
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of open()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
addEventListener("click", (event) => {
  for (const menu of open()) if (!menu.contains(event.target)) menu.open = false;
});
