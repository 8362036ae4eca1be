/**
 * The summary of errors gets the focus, also where the URL names a field: a browser then ignores `autofocus`.
 */

if (location.hash) history.replaceState(history.state, "", location.pathname + location.search);
document.querySelector("[data-problems]").focus();
