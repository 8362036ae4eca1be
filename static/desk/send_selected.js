/** Sends the rows that were selected before the password was asked for. */

document.querySelector("[data-send-selected]").requestSubmit();
