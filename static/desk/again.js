/**
 * What was too much to delete at once goes on being deleted, until all of it is gone or the page is left.
 */

document.querySelector("form[data-again]")?.requestSubmit();
