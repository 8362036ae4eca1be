// Deletes what was typed in the inbox and not sent: whoever uses the tab next has no business with it.
try {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith("inbox draft ")) sessionStorage.removeItem(name);
  }
} catch {
  // storage is refused: then nothing was kept
}
