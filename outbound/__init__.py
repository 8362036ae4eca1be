"""Makes every call to another machine: on its own connection, within one deadline. Knows no app and no Django."""
