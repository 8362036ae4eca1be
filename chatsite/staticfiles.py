"""Static files as they are served: hashed, compressed ahead of time, our modules in one file, with their fingerprints.

A page names the fingerprint beside the address (subresource integrity): a file that somebody on the way, or on the
disk, has changed is not run.
"""

import base64
import functools
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

# A line that imports a module for its effects alone.
_IMPORT = re.compile(r'^import "(\./[\w./-]+\.js)";$', re.MULTILINE)
_COMMENT = re.compile(r"^\s*(?://.*|/\*\*[^*]*\*/)$\n?", re.MULTILINE)
_INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
# Of a style sheet; between its words a space stays.
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPACE = re.compile(r"\s+")
_SPACE_AROUND = re.compile(r" ?([{};]) ?")


class SiteStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Puts the modules that a script imports into it, so that the page needs one request for them; comments stay here.

    Each module becomes a block, which keeps its names its own as a module would. Path not taken: a bundler from npm,
    because the page has to be set up without Node.
    """

    manifest_strict = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[tuple]:
        if not dry_run:
            ours = [
                name for name in paths if name.startswith(("webchat/", "kiosk/")) and name.endswith((".js", ".css"))
            ]
            paths = paths | {name: (self, name) for name in ours if self._lighten(name, *paths[name])}
        yield from super().post_process(paths, dry_run, **options)

    def save_manifest(self) -> None:
        super().save_manifest()
        manifest = json.loads(self.read_manifest())
        manifest["integrity"] = {
            name: _fingerprint(self._bytes_of(hashed))
            for name, hashed in manifest["paths"].items()
            if name.endswith((".js", ".css"))
        }
        self.manifest_storage.delete(self.manifest_name)
        self.manifest_storage._save(self.manifest_name, ContentFile(json.dumps(manifest).encode()))

    def integrity(self, name: str) -> str:
        """What the attribute `integrity` of a script or a style sheet says; "" where nothing was collected."""
        if not settings.DEBUG:
            return self._collected_fingerprints.get(name, "")
        found = finders.find(name)  # as it lies there: changed a second ago, maybe
        return _fingerprint(Path(found).read_bytes()) if found else ""

    @functools.cache  # noqa: B019 - there is one storage
    def text_of(self, name: str) -> str:
        """Of a collected file; "" where nothing was collected, or files may change while the site runs."""
        if settings.DEBUG or name not in self.hashed_files:
            return ""
        return self._bytes_of(self.hashed_files[name]).decode()

    @functools.cached_property
    def _collected_fingerprints(self) -> dict[str, str]:
        return json.loads(self.read_manifest() or "{}").get("integrity", {})

    def _bytes_of(self, name: str) -> bytes:
        with self.open(name) as file:
            return file.read()

    def _lighten(self, name: str, storage: Storage, path: str) -> bool:
        """Whether anything changed. Starts from the source: what was collected before is light already."""
        with storage.open(path) as file:
            source = file.read().decode()
        light = _without_space(source) if name.endswith(".css") else self._joined(name, source)
        if light == source:
            return False
        self.delete(name)
        self._save(name, ContentFile(light.encode()))
        return True

    def _joined(self, name: str, source: str) -> str:
        joined = _IMPORT.sub(lambda match: self._block(Path(name).parent / match[1]), source)
        return _INDENTATION.sub("", _COMMENT.sub("", joined))

    def _block(self, module: Path) -> str:
        with self.open(str(module)) as file:
            return "{\n" + file.read().decode() + "}"


def _without_space(style: str) -> str:
    return _SPACE_AROUND.sub(r"\1", _SPACE.sub(" ", _STYLE_COMMENT.sub("", style))).strip()


def _fingerprint(content: bytes) -> str:
    return "sha384-" + base64.b64encode(hashlib.sha384(content).digest()).decode()
