"""Keeps the catalogs in locale/ up with what the visitors' interface says: `python -m tests.messages`."""

import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from chatsite import settings

ROOT = settings.BASE_DIR
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_noop": None,
    "gettext_lazy": None,
    "pgettext_lazy": ((1, "c"), 2),
    "ngettext_lazy": (1, 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
APPS = ("webchat", "accounts", "kiosk", "portal")  # what visitors see
# What owners see, and developers while DEBUG is on, is in English.
NOT_FOR_VISITORS = {
    ROOT / name
    for name in (
        "templates/webchat/embed_check.html",
        "templates/webchat/embed_demo.html",
        "templates/webchat/styleguide.html",
        "templates/kiosk/admin",
        "kiosk/admin.py",
        "kiosk/migrations",
        "kiosk/models.py",
        "portal/admin.py",
        "webchat/notifications/payloads.py",
        "webchat/management",
        "webchat/migrations",
        "webchat/models",
        "webchat/appearance/pictures.py",
    )
}

HEADER = """\
# {name}. Its words, and how it addresses the visitor: docs/decisions/languages.md
msgid ""
msgstr ""
"Language: {locale}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: {plural_forms}\\n"
"""


def templates() -> list[Path]:
    """Every page, and part of one, that a visitor may get to see."""
    pages = [page for app in APPS for kind in ("html", "txt") for page in (ROOT / "templates" / app).rglob(f"*.{kind}")]
    return _for_visitors([*(ROOT / "templates").glob("*.html"), *pages])


def modules() -> list[Path]:
    return _for_visitors(module for app in APPS for module in (ROOT / app).rglob("*.py"))


def _for_visitors(files: Iterable[Path]) -> list[Path]:
    return sorted(file for file in files if NOT_FOR_VISITORS.isdisjoint({file, *file.parents}))


def extracted() -> Catalog:
    """Every string of the interface, without translations."""
    catalog = Catalog()
    for source in [*templates(), *modules()]:
        for line, message, comments, context in _strings(source):
            place = (str(source.relative_to(ROOT)), line)
            catalog.add(message, locations=[place], auto_comments=comments, context=context)
    return catalog


def _strings(source: Path) -> Iterator[tuple]:
    code = source.read_text()
    if source.suffix != ".py":
        # What Django makes of a template is Python but for its indentation.
        code = "\n".join(line.strip() for line in templatize(code, origin=str(source)).splitlines())
    return extract(
        "python", io.BytesIO(code.encode()), KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True
    )


def path_of(language: str) -> Path:
    """The catalog for people; the compiled one, for Django, stands beside it."""
    return ROOT / "locale" / to_locale(language) / "LC_MESSAGES" / "django.po"


def read(language: str) -> Catalog:
    with path_of(language).open("rb") as file:
        return read_po(file)


def compiled(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def says_the_same(one: bytes, other: bytes) -> bool:
    """Two compiled catalogs, but for the dates in them."""
    first, second = (read_mo(io.BytesIO(content)) for content in (one, other))
    return first.plural_expr == second.plural_expr and _said(first) == _said(second)


def _said(catalog: Catalog) -> dict[object, object]:
    return {(str(message.id), message.context): message.string for message in catalog if message.id}


def update(language: str, strings: Catalog) -> Catalog:
    """Writes the catalog with exactly these strings: new ones are empty, what nobody says any more is gone."""
    path = path_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        fresh = Catalog(to_locale(language))
        name = dict(settings.LANGUAGES)[language]
        path.write_text(HEADER.format(name=name, locale=to_locale(language), plural_forms=fresh.plural_forms))
    header = path.read_text().partition("\n\n")[0].rstrip("\n")
    catalog = read(language)
    catalog.update(strings, no_fuzzy_matching=True)
    body = io.BytesIO()
    write_po(body, catalog, width=120, omit_header=True, ignore_obsolete=True, include_lineno=False)
    path.write_text(f"{header}\n\n{body.getvalue().decode().rstrip()}\n")
    return catalog


def main() -> None:
    strings = extracted()
    for language in LANGUAGES:
        catalog = update(language, strings)
        binary, path = compiled(catalog), path_of(language).with_suffix(".mo")
        if not path.exists() or not says_the_same(path.read_bytes(), binary):
            path.write_bytes(binary)
        missing = sum(not all(m.string if m.pluralizable else [m.string]) for m in catalog if m.id)
        print(f"{language:8}{len(catalog)} strings, {missing} to translate")


if __name__ == "__main__":
    main()
