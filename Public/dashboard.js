// Enhancements only: every page works without this file. Keys can be turned off in the rail (WCAG 2.1.4).
"use strict";

const keysAreOn = document.documentElement.dataset.shortcuts !== "off";
const rowLinks = [...document.querySelectorAll("table.list tbody th a")];

function goToRow(step) {
  if (rowLinks.length === 0) return;
  const current = rowLinks.findIndex((link) => link.closest("tr").contains(document.activeElement));
  const next = current < 0 ? (step > 0 ? 0 : rowLinks.length - 1) : current + step;
  rowLinks[Math.min(Math.max(next, 0), rowLinks.length - 1)].focus();
}

document.addEventListener("keydown", (event) => {
  if (!keysAreOn || event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]")) return;
  switch (event.key) {
    case "/":
      document.getElementById("find")?.select();
      document.getElementById("find")?.focus();
      break;
    case "j":
      goToRow(1);
      break;
    case "k":
      goToRow(-1);
      break;
    default:
      return;
  }
  event.preventDefault();
});

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
    const label = (word) => {
      button.textContent = word;
      button.setAttribute("aria-label", `${word} ${element.dataset.copy}`);
    };
    label("Copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text);
      label("Copied");
      setTimeout(() => label("Copy"), 1500);
    });
    // Beside the value, but never outside its <dd>.
    (element.tagName === "DD" ? element : element.parentElement).append(button);
  }
}
