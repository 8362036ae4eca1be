/**
 * Offers the crop choices as soon as there is a picture.
 */

const picture = document.getElementById("id_face");
const kept = document.querySelector("[name=kept_face]"); // chosen before the form came back
const sliders = document.querySelector(".form-row.field-face_zoom");

if (picture && sliders) {
  const show = () => (sliders.hidden = !picture.files.length && !kept?.checked);
  for (const each of [picture, kept]) each?.addEventListener("change", show);
  show();
}
