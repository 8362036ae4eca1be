/**
 * A colour picker beside the field of the accent. What is made of the colour, and how well it can be read, follows both.
 */

const PAUSE = 300; // ms
const field = document.getElementById("id_accent");
const shades = document.querySelector("[data-shades]");

if (field && shades) {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.setAttribute("aria-label", shades.dataset.picker);
  const isColour = () => /^#[0-9a-f]{6}$/i.test(field.value);
  picker.value = isColour() ? field.value : "#2f5bd0";
  field.after(picker);

  let waiting;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const response = await fetch(`${shades.dataset.shades}?accent=${encodeURIComponent(field.value)}`);
      if (response.ok) shades.innerHTML = await response.text();
    }, PAUSE);
  };
  picker.addEventListener("input", () => {
    field.value = picker.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  field.addEventListener("input", () => {
    if (isColour()) picker.value = field.value;
    if (isColour() || !field.value) later();
  });
}
