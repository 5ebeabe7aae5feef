// Enhancements only: without this file the page asks for itself anew every few seconds.
"use strict";

const main = document.getElementById("main");
const { state } = main.dataset;

// The seconds are the server's: this device's clock may be wrong.
const timer = document.querySelector("[data-left]");
if (timer) {
  const end = performance.now() + timer.dataset.left * 1000;
  const tick = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    timer.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (left > 0) return;
    clearInterval(tick);
    location.reload();
  }, 1000);
}

const rest = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));

// What leads to the store works for some minutes only: the page that just came has it anew.
function renew(page) {
  const link = page.querySelector("main a.primary");
  if (link) document.querySelector("main a.primary")?.setAttribute("href", link.getAttribute("href"));
  const fields = page.querySelectorAll("main form input");
  document.querySelectorAll("main form input").forEach((field, place) => {
    if (fields[place]?.name === field.name) field.value = fields[place].value;
  });
}

async function watch() {
  for (;;) {
    try {
      const answer = await fetch(`${location.pathname}?wait=25&state=${state}`, { cache: "no-store" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.ok && page.getElementById("main")?.dataset.state !== state) return location.reload();
      if (answer.ok) renew(page);
      await rest(answer.ok ? 1 : 5);
    } catch {
      await rest(5);
    }
  }
}

if (state) watch();
