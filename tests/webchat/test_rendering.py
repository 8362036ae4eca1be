"""Bot text is untrusted: only allowed markup reaches the page, and no word is lost."""

import time

import pytest
from lxml import html

from tests.webchat.rendered import check, links, parse, words_of
from webchat.rendering import code
from webchat.rendering.script_language import language_of

# Markdown, its visible text, the URLs of its links.
HOSTILE: dict[str, tuple[str, str, list[str]]] = {
    # URLs that run code
    "javascript": ("[click](javascript:alert(1))", "[click](javascript:alert(1))", []),
    "javascript after a space": ("[click]( javascript:alert(1))", "click", []),
    "javascript as entities": ("[click](&#106;avascript:alert(1))", "click", []),
    "javascript after a control character": ("[click](\x01javascript:alert(1))", "click", []),
    "javascript as an autolink": ("<javascript:alert(1)>", "javascript:alert(1)", []),
    "javascript in a title": ('[click](https://a.example "x\\" onmouseover=alert(1)")', "click", ["https://a.example"]),
    "data that markdown-it allows": ("[click](data:image/png;base64,aaaa)", "click", []),
    # URLs of this site
    "protocol-relative": ("[click](//evil.example/x)", "click", []),
    "absolute path": ("[click](/chat/help/new)", "click", []),
    "scheme without slashes": ("[click](https:new)", "click", []),
    # links within links
    "link in a link": ("[a [b](https://b.test) c](https://a.test)", "b", ["https://b.test", "https://a.test"]),
    "image in a link": ("[![b](https://i.test)](https://l.test)", "b", ["https://l.test", "https://i.test"]),
    "image of another host": ("![alt](https://i.example/x.png)", "alt", ["https://i.example/x.png"]),
    "image with markup in its alt text": ("![<img src=x onerror=alert(1)>](https://i.example)", "<img src=x", None),
    "autolink": ("<https://a.example/?a=1&b=2>", "https://a.example/?a=1&b=2", ["https://a.example/?a=1&b=2"]),
    "markup in a URL": ("[x](https://a.example/<script>)", "x", None),
    "name and password": ("[bank](https://bank.example@evil.example/)", "bank", ["https://bank.example@evil.example/"]),
    # HTML
    "script": ("<script>alert(1)</script>", "<script>alert(1)</script>", []),
    "style": ("<style>*{display:none}</style>", "<style>*{display:none}</style>", []),
    "script in a code block": ("```html\n<script>alert(1)</script>\n```", "<script>alert(1)</script>", []),
    "language of a code block": ('```"><script>alert(1)</script>\nx\n```', "x", []),
    "quotes in a table's header": ('|" onfocus="alert(1)|\n|-|\n|a|', '" onfocus="alert(1)', []),
    "link in a table's header": ("|[a](https://a.example)|\n|-|\n|b|", "a b", ["https://a.example"]),
    "script in a footnote's name": ("[^<script>]", "<script>", []),
    # characters that hide others
    "NUL": ("a\0b", "ab", []),
    "override": ("a\u202egnp.exe", "agnp.exe", []),
    "override in a URL": ("[x](https://a.example/&#x202e;cod)", "x", ["https://a.example/%E2%80%AEcod"]),
    "tag characters": ("a\U000e0041\U000e0042b", "ab", []),
    # allowed links and text
    "mail": ("[write](mailto:me@a.example?subject=x)", "write", ["mailto:me@a.example?subject=x"]),
    "bare URL": ("See https://a.example/b?c=1_2.", "See https://a.example/b?c=1_2.", ["https://a.example/b?c=1_2"]),
    "bare URL in Japanese": ("はhttps://a.example/bを", "はhttps://a.example/bを", ["https://a.example/b"]),
    "bare URL to no host": ("http://a.bỴe http://a.example:99999", "http://a.bỴe http://a.example:99999", []),
    "links to no host": ("[a](http://a.bỴe) <http://a.example:99999>", "a http://a.example:99999", []),
    "bare URL as the text of a link": ("[https://a.test](https://b.test)", "https://a.test", ["https://b.test"]),
    "no URL": ("xhttps://a.example ftp://a.example https:// https://.", "xhttps://a.example", []),
    "bare mail": ("E-Mail:a.b+c@my-a.example.", "E-Mail:a.b+c@my-a.example.", ["mailto:a.b+c@my-a.example"]),
    "bare mail in Japanese": ("はyou@b.exampleを", "はyou@b.exampleを", ["mailto:you@b.example"]),
    "no mail": ("@a.example me@a me@@a.example git@a.example:x a_me@a.example .@a.example", "@a.example me@a", []),
    "name and password in a bare URL": ("https://a.example@b.example", "@b.example", ["https://a.example"]),
}


@pytest.mark.parametrize(("text", "words", "leads_to"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_as_text_and_links_only_where_allowed(text, words, leads_to):
    tree = parse(text)
    check(tree)
    assert words in words_of(tree)
    assert leads_to is None or links(tree) == leads_to


def test_markdown_becomes_structure():
    tree = parse("# T\n\nA **b** *c* `d`\n\n3. x\n4. y\n\n> q\n\n|h|\n|-|\n|t|\n\n---\n\n```py\nx = 1\n```")
    assert [element.tag for element in tree] == ["h4", "p", "ol", "blockquote", "div", "hr", "figure"]
    assert [element.tag for element in tree.find("div")] == ["table"]
    assert tree.find("ol").get("start") == "3"
    assert (tree.find("figure").get("dir"), tree.find("figure/pre").get("tabindex")) == ("ltr", "0")
    assert tree.find("div").get("tabindex") == "0"


@pytest.mark.parametrize(
    ("cells", "side"),
    [(["1", "20", "300"], "end"), (["$5", "−3 %", ""], "end"), (["9:00", "10:30"], None), (["", "–"], None)],
)
def test_a_column_of_amounts_is_aligned_to_the_end(cells, side):
    tree = parse("|what|how many|\n|-|-|\n" + "".join(f"|x|{cell}|\n" for cell in cells))
    check(tree)
    assert [row.getchildren()[0].get("class") for row in tree.iter("tr")] == [None] * (len(cells) + 1)
    assert [row.getchildren()[1].get("class") for row in tree.iter("tr")] == [side] * (len(cells) + 1)


def test_columns_are_aligned_as_the_author_wants():
    tree = parse("|a|b|c|\n|:-|:-:|-:|\n|1|2|x|")
    assert [cell.get("class") for cell in tree.iter("td")] == [None, "middle", "end"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Chain\n: 75 *euros*\n: with the work", ["dt Chain", "dd 75 euros", "dd with the work"]),
        ("A\n: a\n\nB\n: b", ["dt A", "dd a", "dt B", "dd b"]),
        ("One line\nand another\n: x", []),
        ("A\n: a\nand more", []),
    ],
)
def test_definition_lists_are_rendered(text, parts):
    tree = parse(text)
    check(tree)
    assert [f"{part.tag} {part.text_content()}" for part in tree.iter("dt", "dd")] == parts
    assert len(tree.findall("dl")) == bool(parts)
    assert [word for word in text.replace("*", "").split() if word != ":" and word not in words_of(tree)] == []


@pytest.mark.parametrize(
    ("fence", "name", "spans"),
    [
        ("py\ndef f(): # x\n    return 'a'", "Python", ["k def", "n f", "c # x", "k return", "s 'a'"]),
        ("JavaScript\nlet a = `b` // c", "JavaScript", ["k let", "s `b`", "c // c"]),
        ("html\n<a href='x'>don't</a>", "HTML", ["k <a", "n href", "s 'x'", "k </a"]),
        ("<script>alert(1)</script>\n1", "", []),
        ("\nreturn 1", "", []),
    ],
)
def test_code_shows_its_language_and_is_highlighted(fence, name, spans):
    tree = parse(f"```{fence}\n```")
    check(tree)
    assert tree.find("figure/figcaption").text_content() == name
    assert [f"{span.get('class')} {span.text}" for span in tree.iter("span")] == spans
    assert tree.find("figure/pre").text_content() == fence.split("\n", 1)[1] + "\n"


@pytest.mark.parametrize("language", ["py", "js", "php", "sql", "css", "html", "yaml", "diff"])
def test_hostile_code_is_rendered_in_time(language):
    pieces = ('"\\', *"'\"`a1 \n#", "/*", "<!--", "<a ", "a.", "1_", "a:", "\t-", "'''", '""')
    began = time.process_time()
    for piece in pieces:
        source = (piece * code.MOST)[: code.MOST]
        shown = html.fromstring(code.figure(source, language)).find("pre").text_content()
        assert shown.strip() == source.strip()
    assert time.process_time() - began < 2


def test_a_table_is_a_group_labelled_by_its_header():
    frame = parse("|What, *else*|Days||\n|-|-|-|\n|a|1|b|").find("div")
    assert (frame.get("role"), frame.get("aria-label")) == ("group", "What, else, Days")
    assert parse("|||\n|-|-|\n|a|b|").find("div").get("aria-label") is None
    assert len(parse(f"|{'long ' * 1000}|\n|-|\n|a|").find("div").get("aria-label")) <= 100


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- [x] done\n- [ ] open\n- [X] too", ["☑\ufe0e done", "☐ open", "☑\ufe0e too"]),
        ("- [ ] *a* [x] b", ["☐ a [x] b"]),
        ("- [ ]", ["[ ]"]),
        ("- `[x] code`", ["[x] code"]),
        ("- [ ] a\n\n- [x] b", ["☐ a", "☑\ufe0e b"]),
    ],
)
def test_a_task_list_has_checkboxes(text, items):
    tree = parse(text)
    check(tree)
    assert [" ".join(item.text_content().split()) for item in tree.iter("li")] == items
    assert [item.get("class") == "task" for item in tree.iter("li")] == [item[0] in "☐☑" for item in items]


@pytest.mark.parametrize(
    ("text", "words", "raised"),
    [
        ("Open[^1]\n\n[^1]: Not on Sundays.", "Open1 1 Not on Sundays.", ["1", "1"]),
        ("a[^note]\n\n[^note]: **b**\n[^2]: c", "anote note b 2 c", ["note", "note", "2"]),
        ("a[^1][^2]", "a12", ["1", "2"]),
        ("a[^ ] b[^a b] c[^] d[^1", "a[^ ] b[^a b] c[^] d[^1", []),
        (f"a[^{'1' * 33}]", f"a[^{'1' * 33}]", []),
    ],
)
def test_a_footnote_mark_is_raised_and_its_note_stays_in_place(text, words, raised):
    tree = parse(text)
    check(tree)
    assert words_of(tree) == words
    assert [mark.text_content() for mark in tree.iter("sup")] == raised


STEPS = "1. a\n2. b\n\n```\ncode\n```\n"


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        (STEPS + "Then:\n3. c\n4. d", [None, "3"]),
        (STEPS + "Then:\n3) c", [None, "3"]),
        (STEPS + "Then:\n4. c", [None]),
        (STEPS + "Then:\n1. c", [None, None]),
        (STEPS + "Then:\n3. c\n\nAnd:\n4. d", [None, "3", "4"]),
        ("It was\n3. May", []),
        ("> 1. a\n>\n> Then:\n> 2. b", [None, "2"]),
    ],
)
def test_a_list_continues_its_numbers_after_code_and_a_line_of_text(text, starts):
    tree = parse(text)
    check(tree)
    assert [each.get("start") for each in tree.iter("ol")] == starts


def test_headings_are_below_the_speakers_name_and_skip_no_level():
    assert [heading.tag for heading in parse("# T\n\n## T\n\n### T\n\n#### T")] == ["h4", "h5", "h6", "h6"]
    assert [heading.tag for heading in parse("## T\n\n#### T\n\n#### T\n\n## T")] == ["h4", "h5", "h5", "h4"]


def test_a_reply_declares_its_language_when_its_script_identifies_it():
    assert language_of("午前九時から午後六時まで開いています。詳しくは `opening.html`。") == "ja"
    assert language_of("نفتح في الساعة **9:00** ويمكنك الكتابة إلى `shop@example.com`.") == "ar"
    assert language_of("We open at nine. In Japanese: 午前九時") == language_of("") == ""
