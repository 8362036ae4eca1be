"""Static files: hashed, compressed ahead of time, joined, and with fingerprints for subresource integrity.

Browsers don't run a file whose content doesn't match the fingerprint in the page.
"""

import base64
import functools
import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = ("webchat/", "kiosk/", "portal/", "desk/", "docbot/")
_SCRIPT_IMPORT = re.compile(r'^import "(\./[\w./-]+\.js)";$', re.MULTILINE)
_STYLE_IMPORT = re.compile(r'^@import "(\./[\w./-]+\.css)"(?: layer\((\w+)\))?;$', re.MULTILINE)
_KINDS = {".js": "text/javascript", ".css": "text/css"}


class SiteStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Minifies our scripts and style sheets, each joined with the files it imports, so that a page needs one request.

    A module becomes a block, which keeps its names to itself, and an imported style sheet a block of its layer, if it
    has one. Path not taken: a bundler from npm, because the site is set up without Node.
    """

    manifest_strict = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[tuple]:
        if not dry_run:
            ours = [name for name in paths if name.startswith(OURS) and name.endswith((".js", ".css"))]
            for name in ours:
                self._join(name, paths)
            paths = paths | {name: (self, name) for name in ours}
        yield from super().post_process(paths, dry_run, **options)

    def integrity(self, name: str) -> str:
        """Return the value of the `integrity` attribute, or "" if static files aren't collected."""
        if not settings.DEBUG:
            return self._collected_fingerprint(name)
        found = finders.find(name)  # the current file, which may just have changed
        return _fingerprint(Path(found).read_bytes()) if found else ""

    @functools.cache  # noqa: B019 - there is one storage
    def _collected_fingerprint(self, name: str) -> str:
        return _fingerprint(self._bytes_of(self.hashed_files[name])) if name in self.hashed_files else ""

    @functools.cache  # noqa: B019 - the same
    def text_of(self, name: str) -> str:
        """Return a collected file's text; "" if nothing was collected or files may change while the site runs."""
        if settings.DEBUG or name not in self.hashed_files:
            return ""
        return self._bytes_of(self.hashed_files[name]).decode()

    def _bytes_of(self, name: str) -> bytes:
        with self.open(name) as file:
            return file.read()

    def _join(self, name: str, paths: dict[str, Any]) -> None:
        """Write the joined file, from the sources and not from files collected earlier."""

        def joined(file: Path) -> str:
            storage, path = paths[os.path.normpath(file)]
            with storage.open(path) as source:
                text = source.read().decode()
            text = _SCRIPT_IMPORT.sub(lambda match: f"{{\n{joined(file.parent / match[1])}}}", text)
            return _STYLE_IMPORT.sub(lambda match: _in_layer(match[2], joined(file.parent / match[1])), text)

        self.delete(name)
        self._save(name, ContentFile(_minified(joined(Path(name)), Path(name).suffix).encode()))


def _in_layer(layer: str | None, style: str) -> str:
    return f"@layer {layer} {{\n{style}}}" if layer else style


def _minified(text: str, suffix: str) -> str:
    """Remove comments and spaces, and shorten local names."""
    import minify  # here, because it loads Go's runtime, which only `collectstatic` needs

    return minify.string(_KINDS[suffix], text)


def _fingerprint(content: bytes) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()
