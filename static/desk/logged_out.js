// Deletes unsent text of the inbox, so that the tab's next user can't read it.
try {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith("inbox draft ")) sessionStorage.removeItem(name);
  }
} catch {
  // storage is refused: then nothing was kept
}
