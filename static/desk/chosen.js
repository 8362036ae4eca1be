/**
 * Enter on the box of a row leads to what can be done with the chosen rows, without a way through the rows between.
 */

document.getElementById("changelist-form")?.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (key !== "Enter" || !target.matches(".action-select, #action-toggle")) return;
  event.preventDefault(); // it would send the form without an action
  document.querySelector("#changelist-form [name=action]").focus();
});
