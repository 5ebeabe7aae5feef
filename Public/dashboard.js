// Enhancements only: every page works without this file. Keys can be turned off in the preferences (WCAG 2.1.4).
"use strict";

const keysAreOn = document.documentElement.dataset.shortcuts !== "off";
const rowLinks = [...document.querySelectorAll("table.list tbody th a")];

function goToRow(step) {
  if (rowLinks.length === 0) return;
  const current = rowLinks.findIndex((link) => link.closest("tr").contains(document.activeElement));
  const next = current < 0 ? (step > 0 ? 0 : rowLinks.length - 1) : current + step;
  rowLinks[Math.min(Math.max(next, 0), rowLinks.length - 1)].focus();
}

// "g" and the key of a place in the rail within this time go there.
const patience = 1500;
let calledAt = -patience;

function goToPlace(key) {
  const place = document.querySelector(`a[data-key="${CSS.escape(key)}"]`);
  place?.click();
  return place !== null;
}

function act(event) {
  const isPlace = event.timeStamp - calledAt < patience;
  calledAt = -patience;
  if (isPlace && goToPlace(event.key)) return true;
  switch (event.key) {
    case "/":
      document.getElementById("find")?.select();
      document.getElementById("find")?.focus();
      return true;
    case "j":
      goToRow(1);
      return true;
    case "k":
      goToRow(-1);
      return true;
    case "g":
      calledAt = event.timeStamp;
      return true;
    case "?":
      document.getElementById("keys")?.showModal();
      return true;
    default:
      return false;
  }
}

document.addEventListener("keydown", (event) => {
  if (!keysAreOn || event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.key === "Shift") return;
  if (event.target instanceof Element && event.target.closest("input, textarea, select, dialog, [contenteditable]")) return;
  if (act(event)) event.preventDefault();
});

// The list of keys names the places that this person's rail has.
const keyList = document.querySelector("#keys dl");
for (const place of keyList ? document.querySelectorAll("a[data-key]") : []) {
  const line = keyList.lastElementChild.cloneNode(true);
  line.querySelector("kbd").textContent = `g ${place.dataset.key}`;
  line.querySelector("dd").textContent = place.firstChild.textContent;
  keyList.append(line);
}

// A form that does something is sent once, however often its button is pressed; the server holds to that without us.
for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  // Coming back to the page by the browser's own button makes it a fresh one.
  window.addEventListener("pageshow", () => delete form.dataset.sent);
}

if (navigator.clipboard) {
  for (const element of document.querySelectorAll("[data-copy]")) {
    const text = element.textContent.trim();
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    const rest = () => {
      button.textContent = document.body.dataset.copyText;
      button.setAttribute("aria-label", element.dataset.copy);
    };
    rest();
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text);
      button.textContent = document.body.dataset.copiedText;
      button.removeAttribute("aria-label");
      setTimeout(rest, 1500);
    });
    // Beside the value, but never outside its <dd>.
    (element.tagName === "DD" ? element : element.parentElement).append(button);
  }
}

// A chart is one stop of the Tab key, at its newest period, and arrows lead through the others, in a heat map also up and
// down; without scripts each is a stop.
const chartSteps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, -Infinity], End: [0, Infinity] };
const within = (list, place) => list[Math.min(Math.max(place, 0), list.length - 1)];
for (const chart of document.querySelectorAll("svg.plot, table.heat")) {
  const lines = chart.matches("table") ? [...chart.tBodies[0].rows] : [chart];
  const rows = lines.map((line) => [...line.querySelectorAll(".period, td a, th a")]).filter((row) => row.length);
  const stops = rows.flat();
  const stopAt = (chosen) => {
    for (const stop of stops) stop.setAttribute("tabindex", stop === chosen ? "0" : "-1");
  };
  stopAt(stops.at(-1));
  // Not on the drawing itself: a browser would take it for something to stop at.
  const region = chart.parentElement;
  region.addEventListener("focusin", ({ target }) => stops.includes(target) && stopAt(target));
  region.addEventListener("keydown", (event) => {
    const [down, right] = (!event.ctrlKey && !event.altKey && !event.metaKey && chartSteps[event.key]) || [];
    const row = rows.findIndex((row) => row.includes(document.activeElement));
    if (row < 0 || down === undefined || (down && rows.length < 2)) return;
    event.preventDefault();
    within(within(rows, row + down), rows[row].indexOf(document.activeElement) + right).focus();
  });
}

// What takes the focus in a table that scrolls sideways is seen whole: browsers leave it half hidden at the table's edge.
document.addEventListener("focusin", ({ target }) => {
  if (!target.matches(".scroll") && target.closest(".scroll")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
});
