"""The chat page as an app on the visitor's device: manifest, icon, service worker, offline page, shared text."""
