/**
 * Focuses the error summary, so that screen readers read it first.
 */

document.querySelector("[data-problems]")?.focus();
