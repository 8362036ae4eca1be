/**
 * A list of rows: a button adds an empty one. Without JavaScript there is one after each time the form is saved.
 */

for (const list of document.querySelectorAll("[data-rows]")) {
  const button = list.parentElement.querySelector("[data-add-row]");
  button.hidden = false;
  button.addEventListener("click", () => {
    const last = list.lastElementChild;
    const row = last.querySelector("input").value ? last.cloneNode(true) : last;
    if (row !== last) {
      const box = row.querySelector("input");
      box.value = "";
      for (const name of ["id", "aria-describedby", "aria-invalid"]) box.removeAttribute(name);
      box.ariaLabel ??= list.dataset.rows; // one row is named by the field's label
      list.append(row);
    }
    row.querySelector("input").focus();
  });
}
