"""Update the catalogs in locale/ with the strings of visitors' and owners' pages: `python -m tests.messages`."""

import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages import Catalog, Message
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
    "Unreadable": None,  # docbot.reading's reasons
    "gettext_lazy": None,
    "pgettext_lazy": ((1, "c"), 2),
    "ngettext_lazy": (1, 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
APPS = ("webchat", "accounts", "kiosk", "portal", "desk", "docbot", "chatsite")
TEMPLATES = (*APPS, "account", "admin", "mfa", "registration", "usersessions")
# Not translated, because nobody reads it in the browser in production: checks, pages shown while DEBUG is on.
IN_ENGLISH = {
    ROOT / name
    for name in (
        "templates/webchat/embed_demo.html",
        "templates/webchat/styleguide.html",
        "desk/management/demo.py",
        "docbot/checks.py",
        "webchat/checks.py",
        "webchat/conversation/style_guide.py",
        *(f"{app}/migrations" for app in APPS),
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
    """Return the templates of all pages and fragments that a visitor or an owner may see."""
    pages = [
        page
        for part in TEMPLATES
        for kind in ("html", "txt")
        for page in (ROOT / "templates" / part).rglob(f"*.{kind}")
    ]
    return _translated([*(ROOT / "templates").glob("*.html"), *pages])


def modules() -> list[Path]:
    return _translated(module for app in APPS for module in (ROOT / app).rglob("*.py"))


def _translated(files: Iterable[Path]) -> list[Path]:
    return sorted(file for file in files if IN_ENGLISH.isdisjoint({file, *file.parents}))


def extract_strings() -> Catalog:
    """Return all strings of the interface, untranslated."""
    catalog = Catalog()
    for source in [*templates(), *modules()]:
        for line, message, comments, context in _strings(source):
            place = (str(source.relative_to(ROOT)), line)
            catalog.add(message, locations=[place], auto_comments=comments, context=context)
    return catalog


def _strings(source: Path) -> Iterator[tuple]:
    code = source.read_text()
    if source.suffix != ".py":
        # `templatize` returns Python with broken indentation.
        code = "\n".join(line.strip() for line in templatize(code, origin=str(source)).splitlines())
    return extract(
        "python", io.BytesIO(code.encode()), KEYWORDS, comment_tags=("Translators:",), strip_comment_tags=True
    )


def catalog_path(language: str) -> Path:
    """Return the path of a language's catalog; the compiled one is beside it."""
    return ROOT / "locale" / to_locale(language) / "LC_MESSAGES" / "django.po"


def read(language: str) -> Catalog:
    with catalog_path(language).open("rb") as file:
        return read_po(file)


def is_translated(message: Message) -> bool:
    return all(message.string) if message.pluralizable else bool(message.string)


def compile_catalog(catalog: Catalog) -> bytes:
    """Compile a catalog without its untranslated strings: Django would show an empty plural form as it is."""
    for message in [each for each in catalog if each.id and not is_translated(each)]:
        catalog.delete(message.id, message.context)
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def is_same_catalog(one: bytes, other: bytes) -> bool:
    """Compare two compiled catalogs, but for the dates in them."""
    first, second = (read_mo(io.BytesIO(content)) for content in (one, other))
    return first.plural_expr == second.plural_expr and _translations(first) == _translations(second)


def _translations(catalog: Catalog) -> dict[object, object]:
    return {(str(message.id), message.context): message.string for message in catalog if message.id}


def update(language: str, strings: Catalog) -> Catalog:
    """Write the catalog with exactly these strings: new ones untranslated, unused ones removed."""
    path = catalog_path(language)
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
    strings = extract_strings()
    for language in LANGUAGES:
        catalog = update(language, strings)
        missing = sum(not is_translated(message) for message in catalog if message.id)
        binary, path = compile_catalog(read(language)), catalog_path(language).with_suffix(".mo")
        if not path.exists() or not is_same_catalog(path.read_bytes(), binary):
            path.write_bytes(binary)
        print(f"{language:8}{len(catalog)} strings, {missing} to translate")


if __name__ == "__main__":
    main()
