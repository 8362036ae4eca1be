/**
 * A click on a word of the preview leads to the field that it comes from, on this tab or another.
 */

// Selectors in the preview for each field; parts come before the whole.
const SHOWN = {
  suggestions: "[data-suggestions] button, .suggestions:not(.follow-ups) button",
  next_questions: ".follow-ups button",
  can_help: "[data-can]",
  cannot_help: "[data-cannot]",
  privacy_note: "[data-privacy]",
  consent: "#composer-consent label",
  asks_details: ".about-you",
  daily_budget: "[data-code=BUDGET_SPENT]",
  switched_on: "[data-closed=off]",
  closed_notice: "[data-closed]",
  teaser: ".launcher .teaser",
  launcher_label: ".launcher .opener span",
  launcher_icon: ".launcher .opener",
  logo: ".logo",
  face: ".face",
  name: ".top h1, .greeting .name, .who bdi",
  greeting: "[data-greeting] > .text",
};
const frame = document.querySelector("iframe[data-fields]");

/** @param {MouseEvent} event over the preview, which is inert, so that all clicks reach the page */
function fieldAt({ clientX, clientY }) {
  const isUnder = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
  };
  const shown = frame.contentDocument;
  return Object.keys(SHOWN).find((field) => [...shown.querySelectorAll(SHOWN[field])].some(isUnder));
}

function goTo(field) {
  const input = document.getElementById(`id_${field}`);
  if (!input) {
    const url = JSON.parse(frame.dataset.fields)[field];
    if (url) location.assign(url);
    return;
  }
  for (let around = input; (around = around.parentElement.closest("details")); ) around.open = true;
  input.scrollIntoView({ block: "center" });
  input.focus();
}

function listen() {
  const root = frame.contentDocument?.documentElement;
  root?.addEventListener("click", (event) => goTo(fieldAt(event)));
  root?.addEventListener("mousemove", (event) => (root.style.cursor = fieldAt(event) ? "pointer" : ""));
}

if (frame) {
  frame.addEventListener("load", listen);
  listen();
}
