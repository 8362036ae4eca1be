"""The house of DESIGN.md stands: who may import whom, who may mark what as safe, and what no template holds."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import html

ROOT = Path(__file__).resolve().parents[1]
SURFACES = ("kiosk", "portal", "desk")  # what stands on webchat, each beside the others
PACKAGES = ("chatsite", "webchat", "accounts", "docbot", *SURFACES)
MODULES = sorted(
    path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts
)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def imports_of(path: Path) -> Iterator[str]:
    """Full names of all that a module imports, at its top and inside of its functions."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = [*package[: len(package) + 1 - node.level]] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def siblings_of(module: str) -> set[str]:
    """The modules of webchat that a module of webchat, or a package in it, imports."""
    place = ROOT / "webchat" / module
    files = list(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    parts = (name.split(".") for file in files for name in imports_of(file))
    return {part[1] for part in parts if part[0] == "webchat" and len(part) > 1} - {module}


# --- Arrows -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("webchat", {"accounts", "docbot", "chatsite", "tests", *SURFACES}),
        ("accounts", {"docbot", "chatsite", "tests", *SURFACES}),
        ("docbot", {"accounts", "webchat", "chatsite", "tests", *SURFACES}),
        *[(surface, {"docbot", "chatsite", "tests", *SURFACES} - {surface}) for surface in SURFACES],
        ("chatsite", {"tests"}),
    ],
)
def test_the_apps_know_neither_each_other_nor_the_deployment(package, forbidden):
    wrong = [
        f"{name_of(path)} imports {name}"
        for path in (ROOT / package).rglob("*.py")
        for name in imports_of(path)
        if name.split(".")[0] in forbidden
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("module", "may_know"),
    [
        ("wire", set()),
        ("transport", set()),
        ("upstream", {"transport", "wire"}),
        ("rendering", set()),
        ("playbook", set()),
        ("sealing", set()),
        ("origins", set()),
        ("looks", set()),
        ("hours", set()),
        ("models", {"hours", "looks", "origins", "playbook", "sealing", "upstream"}),
        ("addresses", set()),
        ("limits", {"models"}),
        ("circuit", {"models"}),
        ("sessions", set()),
        ("proofs", {"playbook"}),
        ("identities", {"models", "rendering"}),
        ("forms", {"playbook", "rendering"}),
        ("webhooks", {"transport", "upstream"}),
        ("alarms", {"limits", "models", "playbook"}),
        ("handovers", {"limits", "models"}),
        ("replies", {"alarms", "circuit", "limits", "models", "playbook", "signals", "upstream"}),
    ],
)
def test_a_module_knows_only_those_below_it(module, may_know):
    assert siblings_of(module) <= may_know


@pytest.mark.parametrize("module", ["wire", "transport", "upstream"])
def test_the_client_of_the_upstream_knows_nothing_of_django(module):
    assert [name for name in imports_of(ROOT / "webchat" / f"{module}.py") if name.startswith("django")] == []


@pytest.mark.parametrize("module", ["rendering", "playbook", "sealing"])
def test_what_is_pure_knows_neither_the_database_nor_requests(module):
    names = list(imports_of(ROOT / "webchat" / f"{module}.py"))
    assert [name for name in names if name.startswith(("django.db", "django.http", "django.views"))] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_of_the_domain_knows_a_view(path):
    """Views call the domain, never the reverse."""
    package, *rest = path.relative_to(ROOT).with_suffix("").parts
    if package != "chatsite" and not {"urls", "views", "admin"} & set(rest):
        assert [name for name in imports_of(path) if re.fullmatch(r"(webchat|docbot)\.views\b.*", name)] == []


# --- What is marked safe ----------------------------------------------------------------------------------------------


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
    assert users == {"webchat/rendering.py", "webchat/appearance/styles.py"}


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_no_template_turns_escaping_off(path):
    text = path.read_text()
    assert re.findall(r"\|\s*safe(?:seq)?\b|autoescape\s+off", text) == []


# --- Templates --------------------------------------------------------------------------------------------------------


def elements(path: Path) -> Iterator[html.HtmlElement]:
    """Of a template, with an x for whatever Django puts in."""
    text = re.sub(r"{{.*?}}|{% (?:url|static) .*?%}", "x", path.read_text())
    text = re.sub(r"{%.*?%}|{#.*?#}", "", text)
    yield from (each for each in html.fragments_fromstring(f"<div>{text}</div>")[0].iter() if isinstance(each.tag, str))


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_no_template_holds_a_script_a_style_or_a_handler(path):
    """The policy of every response forbids them: they would silently do nothing."""
    found = list(elements(path))
    assert [each for each in found if each.tag == "style"] == []
    assert [each for each in found if each.tag == "script" and (not each.get("src") or (each.text or "").strip())] == []
    attributes = [(each.tag, name, value) for each in found for name, value in each.attrib.items()]
    assert [
        each for each in attributes if each[1] == "style" or each[1].startswith(("on", "hx-on", "data-hx-on"))
    ] == []
    assert [each for each in attributes if each[2].strip().lower().startswith(("javascript:", "js:"))] == []


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_every_script_and_style_sheet_of_ours_comes_with_its_fingerprint(path):
    """`src="{% static 'a.js' %}" integrity="{% integrity 'a.js' %}"`: a changed file is not run."""
    text = path.read_text()
    for tag in re.findall(r"<(?:script|link)\b(?:{%.*?%}|[^>{])*>", text):
        if named := re.search(r"{% static '([^']+\.(?:js|css))' %}", tag):
            assert f"integrity=\"{{% integrity '{named[1]}' %}}\"" in tag


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_what_htmx_asks_for_is_asked_for_without_it_too(path):
    for element in elements(path):
        if element.get("hx-post") is not None:
            assert element.tag == "form"
            assert element.get("method") == "post"
            assert element.get("action")
        if element.tag == "a" and element.get("hx-get") is not None:
            assert element.get("href")


@pytest.mark.parametrize("path", TEMPLATES, ids=name_of)
def test_every_form_that_changes_something_is_guarded(path):
    text = path.read_text()
    for form in re.findall(r'<form\b[^>]*method="post".*?</form>', text, re.DOTALL):
        assert "{% csrf_token %}" in form or "{% guard %}" in form


def test_what_is_included_is_a_fragment_and_its_name_says_so():
    included = {name for path in TEMPLATES for name in re.findall(r'{% include "([^"]+)"', path.read_text())}
    included = {name for name in included if not name.startswith("admin/")}  # Django's own
    assert [name for name in included if not Path(name).name.startswith("_")] == []
    assert [name for name in included if not (ROOT / "templates" / name).exists()] == []


def test_a_fragment_is_no_whole_page_and_a_page_no_fragment():
    for path in TEMPLATES:
        whole = "<html" in path.read_text() or "{% extends" in path.read_text()
        assert whole != path.name.startswith("_"), name_of(path)


def test_every_fragment_is_used():
    fragments = {str(path.relative_to(ROOT / "templates")) for path in TEMPLATES if path.name.startswith("_")}
    sources = "".join(path.read_text() for path in [*TEMPLATES, *MODULES])
    assert [name for name in sorted(fragments) if f'"{name}"' not in sources] == []


# --- How it reads -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_opens_with_a_sentence(path):
    text = path.read_text()
    if text.strip():
        first = (ast.get_docstring(tree_of(path)) or "").splitlines()
        assert first, "no docstring"
        assert len(first[0]) > 10


def test_no_module_has_a_name_that_says_nothing():
    empty = {"utils", "util", "helpers", "helper", "services", "service", "managers", "common", "misc"}
    assert [name_of(path) for path in [*MODULES, *(ROOT / "tests").rglob("*.py")] if path.stem in empty] == []


def test_functions_are_short():
    long = [
        f"{name_of(path)}: {node.name}"
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= 50
    ]
    assert long == []
