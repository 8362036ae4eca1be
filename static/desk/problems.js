/**
 * What is wrong with a form is read first: its summary gets the focus.
 */

document.querySelector("[data-problems]")?.focus();
