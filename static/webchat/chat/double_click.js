// A double click on a thumb, or Enter held down on it, counts once: the second would take the rating back.

for (const type of ["click", "keydown"])
  document.addEventListener(
    type,
    (event) => {
      const isAgain = event.detail > 1 || (event.repeat && event.key === "Enter");
      if (!isAgain || !event.target.closest("[data-feedback] button")) return;
      event.preventDefault();
      event.stopImmediatePropagation(); // htmx listens at the button
    },
    { capture: true },
  );
