"""The rules of DESIGN.md: which package may import which, what may be marked safe, and what templates may contain."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from django.http import HttpRequest
from django.template.loader import get_template
from lxml import html

ROOT = Path(__file__).resolve().parents[1]
MOST_IN_A_ROOM = 13
SURFACES = ("kiosk", "portal", "desk")  # build on webchat and don't know each other
PACKAGES = ("chatsite", "outbound", "webchat", "accounts", "docbot", *SURFACES)
MODULES = sorted(
    path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts
)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def imports_of(path: Path) -> Iterator[str]:
    """Yield the full name of everything that a module imports, at its top or inside a function."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = [*package[: len(package) + 1 - node.level]] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def rooms_known_to(app: str, room: str) -> set[str]:
    """Return the app's other rooms, and modules at its top, that a room (or a module at the top) imports."""
    place = ROOT / app / room
    files = list(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    parts = (name.split(".") for file in files for name in imports_of(file))
    return {part[1] for part in parts if part[0] == app and len(part) > 1} - {room}


# --- Imports ----------------------------------------------------------------------------------------------------------

APPS_NOT_KNOWN_TO = {
    "webchat": {"accounts", "docbot", "chatsite", "tests", *SURFACES},
    "accounts": {"docbot", "chatsite", "tests", *SURFACES},
    "docbot": {"accounts", "webchat", "chatsite", "tests", *SURFACES},
    "kiosk": {"docbot", "chatsite", "tests", "portal", "desk"},
    "portal": {"docbot", "chatsite", "tests", "kiosk", "desk"},
    "desk": {"chatsite", "tests", "kiosk", "portal"},
    "outbound": {"django", "accounts", "webchat", "docbot", "chatsite", "tests", *SURFACES},
    "chatsite": {"tests"},
}

# Each room of an app, and what it may import from that app: never a room that imports it.
LEAVES = {"business_hours", "encryption", "origins", "rendering"}  # of webchat: they import nothing from the app
DESK_LEAVES = "cards", "exports", "failures", "fields", "form_pictures", "language", "models", "pages", "trained_bots"
ROOMS = {
    "webchat": {
        **{leaf: set() for leaf in LEAVES},
        "appearance": set(),
        "upstream": set(),
        "models": {"appearance", "upstream", *LEAVES},
        "languages": {"models"},
        "transcripts": {"models", "rendering"},
        "limits": {"models", "upstream"},
        "site": {"business_hours", "models"},
        "notifications": {"limits", "models", "site", "transcripts", "upstream"},
        "conversation": {
            *("appearance", "languages", "limits", "models", "notifications", "origins"),
            *("rendering", "signals", "transcripts", "upstream"),
        },
        "feedback": {"conversation", "models"},
        "embed": {"appearance", "conversation", "languages", "models", "origins", "rendering", "site"},
        "handover": {"conversation", "languages", "limits", "models", "notifications", "origins", "upstream"},
        "attachments": {"appearance", "conversation", "handover", "limits", "models"},
        "web_app": {"appearance", "conversation", "languages", "models"},
    },
    "docbot": {
        "content": set(),
        "models": set(),
        "retrieval": set(),
        "reading": {"content"},
        "answering": {"content", "retrieval"},
        "training": {"answering", "content", "models", "reading", "retrieval"},
        "endpoint": {"answering", "models", "retrieval"},
        "dashboard": {"answering", "endpoint", "models", "reading", "retrieval", "training"},
    },
    "desk": {
        **{leaf: set() for leaf in DESK_LEAVES},
        "access": {"fields", "language", "pages", "trained_bots"},
        "bot": {"access", "cards", "fields", "pages", "privacy", "form_pictures", "trained_bots"},
        "heading_search": {"trained_bots"},
        "inbox": {"access", "fields", "language", "pages", "form_pictures", "trained_bots"},
        "privacy": {"access", "exports", "pages"},
        "setup": {"access", "bot", "fields", "language", "models", "pages", "trained_bots"},
        "statistics": {"access", "bot", "exports", "failures", "models", "pages"},
        "teaching": {"access", "exports", "fields", "models", "pages", "statistics", "trained_bots"},
        "site_settings": {"access", "bot", "fields", "pages"},
        "team": {"access", "fields", "language", "models", "pages", "setup"},
        "overview": {"access", "bot", "cards", "inbox", "setup", "statistics", "teaching", "trained_bots"},
        "templatetags": {"cards", "failures", "inbox", "overview", "pages", "statistics"},
        "conversations": {
            *("access", "exports", "failures", "language", "models", "teaching", "templatetags", "trained_bots"),
        },
        "admin": {"access", "bot", "conversations"},
        "site": {
            *("access", "inbox", "language", "overview", "privacy", "setup"),
            *("site_settings", "statistics", "teaching", "team"),
        },
        "urls": {"language"},
    },
}


def test_the_apps_import_neither_each_other_nor_the_deployment():
    wrong = [
        f"{name_of(path)} imports {name}"
        for package, forbidden in APPS_NOT_KNOWN_TO.items()
        for path in (ROOT / package).rglob("*.py")
        for name in imports_of(path)
        if name.split(".")[0] in forbidden
    ]
    assert wrong == []


def test_a_room_imports_only_the_rooms_below_it():
    wrong = {
        f"{app}/{room}": unexpected
        for app, rooms in ROOMS.items()
        for room, may_know in rooms.items()
        if (unexpected := rooms_known_to(app, room) - may_know)
    }
    assert wrong == {}


def test_every_room_is_in_the_list_of_allowed_imports():
    for app, rooms in ROOMS.items():
        packages = {path.parent.name for path in (ROOT / app).glob("*/__init__.py")}
        assert packages - {"management", "migrations", "templatetags"} <= rooms.keys()


def test_modules_have_no_import_cycle():
    """Imports inside functions count, too."""
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in MODULES}
    graph = {}
    for path in MODULES:
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        named = {found if found in modules else found.rpartition(".")[0] for found in imports_of(path)}
        graph[name] = (named & modules) - {name}
    TopologicalSorter(graph).prepare()  # raises CycleError


def test_a_room_has_at_most_a_dozen_modules():
    rooms = Counter(name_of(path.parent) for path in MODULES if path.stem != "__init__")
    assert {room: size for room, size in rooms.items() if size > MOST_IN_A_ROOM} == {}


def test_domain_modules_do_not_import_views():
    """Views call the domain, never the reverse."""
    wrong = []
    for path in MODULES:
        package, *rest = path.relative_to(ROOT).with_suffix("").parts
        if package != "chatsite" and not {"urls", "views", "error_views", "admin", "dashboard"} & set(rest):
            names = imports_of(path)
            wrong += [
                f"{name_of(path)} imports {name}"
                for name in names
                if re.search(r"^(webchat|docbot)\.(.*\.)?views\b", name)
            ]
    assert wrong == []


# --- Escaping ---------------------------------------------------------------------------------------------------------


def test_only_the_rendering_and_the_style_within_the_page_are_marked_safe():
    markers = {"mark_safe", "SafeText", "html_safe"}
    users = {
        name_of(path)
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.Name) and node.id in markers)
        or (isinstance(node, ast.Attribute) and node.attr in markers)
        or (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "SafeString")
    }
    assert users == {"webchat/rendering/bot_text.py", "webchat/appearance/styles.py"}


def test_no_template_turns_escaping_off():
    for path in TEMPLATES:
        text = path.read_text()
        assert re.findall(r"\|\s*safe(?:seq)?\b|autoescape\s+off", text) == [], name_of(path)


# --- Templates --------------------------------------------------------------------------------------------------------


def elements(path: Path) -> Iterator[html.HtmlElement]:
    """Yield the elements of a template, with an x in place of each value that Django fills in."""
    text = re.sub(r"{{.*?}}|{% (?:url|static) .*?%}", "x", path.read_text())
    text = re.sub(r"{%.*?%}|{#.*?#}", "", text)
    yield from (each for each in html.fragments_fromstring(f"<div>{text}</div>")[0].iter() if isinstance(each.tag, str))


def test_no_template_contains_an_inline_script_style_or_event_handler():
    """The content security policy forbids them: they would silently do nothing."""
    for path in TEMPLATES:
        found = list(elements(path))
        assert [each for each in found if each.tag == "style"] == [], name_of(path)
        scripts = [each for each in found if each.tag == "script"]
        assert [each for each in scripts if not each.get("src") or (each.text or "").strip()] == [], name_of(path)
        attributes = [(each.tag, name, value) for each in found for name, value in each.attrib.items()]
        handlers = ("on", "hx-on", "data-hx-on")
        assert [each for each in attributes if each[1] == "style" or each[1].startswith(handlers)] == [], name_of(path)
        code = ("javascript:", "js:")
        assert [each for each in attributes if each[2].strip().lower().startswith(code)] == [], name_of(path)


def test_each_of_our_scripts_and_style_sheets_has_an_integrity_attribute():
    """`src="{% static 'a.js' %}" integrity="{% integrity 'a.js' %}"`: the browser runs no file that was changed."""
    for path in TEMPLATES:
        text = path.read_text()
        for tag in re.findall(r"<(?:script|link)\b(?:{%.*?%}|[^>{])*>", text):
            if named := re.search(r"{% static '([^']+\.(?:js|css))' %}", tag):
                assert f"integrity=\"{{% integrity '{named[1]}' %}}\"" in tag, name_of(path)


def test_every_htmx_request_has_a_form_or_link_that_works_without_htmx():
    for path in TEMPLATES:
        for element in elements(path):
            if element.get("hx-post") is not None and element.tag == "button":
                assert element.get("form") == "composer", name_of(path)  # its method is post
                assert element.get("formaction"), name_of(path)
            elif element.get("hx-post") is not None:
                assert element.tag == "form", name_of(path)
                assert element.get("method") == "post", name_of(path)
                assert element.get("action"), name_of(path)
            if element.tag == "a" and element.get("hx-get") is not None:
                assert element.get("href"), name_of(path)


def test_every_post_form_has_a_csrf_token():
    for path in TEMPLATES:
        text = path.read_text()
        for form in re.findall(r'<form\b[^>]*method="post".*?</form>', text, re.DOTALL):
            assert "{% csrf_token %}" in form or "{% guard %}" in form, name_of(path)


def test_a_fragment_begins_with_an_underscore_exists_and_is_used():
    fragments = {str(path.relative_to(ROOT / "templates")) for path in (ROOT / "templates").rglob("_*")}
    included = {name for path in TEMPLATES for name in re.findall(r'{% include "([^"]+)"', path.read_text())}
    assert {name for name in included if not name.startswith("admin/")} <= fragments  # those of Django's own
    sources = "".join(path.read_text() for path in [*TEMPLATES, *MODULES])
    assert [name for name in sorted(fragments) if f'"{name}"' not in sources] == []


def test_functions_are_short():
    long = [
        f"{name_of(path)}: {node.name}"
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= 50
    ]
    assert long == []


def test_a_request_gets_no_attribute_but_its_context_and_djangos_own():
    known = {*vars(HttpRequest()), "LANGUAGE_CODE", "upload_handlers", "session", "webchat"}
    added = [
        f"{name_of(path)}: request.{node.attr}"
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if isinstance(node.value, ast.Name) and node.value.id == "request" and node.attr not in known
    ]
    assert added == []


def test_every_template_loads_the_tags_that_it_uses():
    """Django raises an error for an unknown tag or filter when it compiles a template."""
    for path in TEMPLATES:
        get_template(str(path.relative_to(ROOT / "templates")))
