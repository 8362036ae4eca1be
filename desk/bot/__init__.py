"""The pages of a bot: a tab for each part of its settings, what it answers from, previews, a test."""
