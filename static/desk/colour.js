/**
 * A colour picker beside the accent field; the palette and its contrast follow both.
 */

const PAUSE = 300; // ms
const field = document.getElementById("id_accent");
const shades = document.querySelector("[data-shades]");
const isColour = () => /^#[0-9a-f]{6}$/i.test(field.value);

if (field && shades) {
  if (field.type !== "color") addPicker();
  let waiting;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(showShades, PAUSE);
  });
}

function addPicker() {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.setAttribute("aria-label", shades.dataset.picker);
  picker.value = isColour() ? field.value : "#2f5bd0";
  field.after(picker);
  picker.addEventListener("input", () => {
    field.value = picker.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  field.addEventListener("input", () => {
    if (isColour()) picker.value = field.value;
  });
}

async function showShades() {
  const response = await fetch(`${shades.dataset.shades}?accent=${encodeURIComponent(field.value)}`);
  if (response.ok && !response.redirected) shades.innerHTML = await response.text(); // not the page to log in
}
