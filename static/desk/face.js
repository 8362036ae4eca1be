/**
 * Offers the crop choices as soon as there is a picture.
 */

const picture = document.getElementById("id_face");
const sliders = document.querySelector(".form-row.field-face_zoom");

if (picture && sliders) {
  const isKept = document.querySelector("[name=kept_face]") !== null; // chosen before the form came back
  const show = () => (sliders.hidden = !picture.files.length && !isKept);
  picture.addEventListener("change", show);
  show();
}
