"""Sources of a reply, shown as chips: which paragraphs count, and how the page shows them."""

import time

import pytest

from docbot.answering.quoting import source_line
from webchat.rendering import follow_ups, sources

LINK = '[Hours](https://shop.example/hours "From nine.")'


@pytest.mark.parametrize(
    ("last", "named"),
    [
        (f"Source: {LINK}", [("", "Hours", "https://shop.example/hours", "From nine.")]),
        ('来源: [时间](#source "九点")', [("", "时间", "", "九点")]),
        ('[A](<https://a.example/(b)> "c")', [("", "A", "https://a.example/(b)", "c")]),
        (r'[A \[b\]](#source "say \"c\" \\ d")', [("", "A [b]", "", 'say "c" \\ d')]),
        (
            '\\[1\\] Source: [A](#source "a")\\\n\\[2\\] Source: [B](https://b.example "b")',
            [("1", "A", "", "a"), ("2", "B", "https://b.example", "b")],
        ),
        # Other paragraphs, and other links.
        ("Source: [Hours](https://shop.example/hours)", []),
        ('[A](javascript:alert "b")', []),
        ("\n".join([LINK] * 10), []),
    ],
)
def test_only_a_final_paragraph_of_nothing_but_links_with_titles_counts(last, named):
    assert sources.split(f"We open at nine.\n\n{last}") == (
        ("We open at nine.", named) if named else (f"We open at nine.\n\n{last}", [])
    )
    assert sources.split(last) == (last, [])  # nothing would be left to read
    parts = follow_ups.split(f"We open at nine.\n\n{last}\n\n- [Where?](#ask)")
    assert (parts.sources, parts.questions) == (named, ["Where?"])


@pytest.mark.parametrize("url", ["https://shop.example/hours", ""])
def test_sources_named_by_docbot_are_understood(url):
    passage = 'Say "hello" & <b>*come*</b> `in` \\ [1]:\n\n- at nine ' + "or later " * 100
    [found] = sources.split(f"Nine.\n\n{source_line('Source', 'Hours', 'On [bank] holidays', url, passage=passage)}")[1]
    assert (found.name, found.url) == ("Hours › On [bank] holidays", url)
    assert found.passage.startswith('Say "hello" & <b>*come*</b> in \\ [1]: - at nine or later or')  # no backticks
    assert found.passage.endswith(" …")


def test_a_chip_shows_the_passage_and_leads_to_its_document(visitor, upstream):
    upstream.will_reply(f'Nine.\n\n\\[1\\] Source: {LINK}\\\n\\[2\\] Source: [<b>B</b>](#source "<i>b</i>")')
    page = visitor.send("When?")
    chips = page.all("details[@class='source']")
    assert [" ".join(chip.text_content().split()) for chip in chips] == [
        "1 Hours From nine. Open the document",
        "2 <b>B</b> <i>b</i>",
    ]
    [link] = chips[0].findall(".//a")
    assert (link.get("href"), link.get("target")) == ("https://shop.example/hours", "_blank")
    assert "noopener" in link.get("rel")
    assert page.one("*[@data-reply]").text_content().strip() == "Nine."


def test_a_saved_conversation_names_the_sources_without_their_passages(visitor, upstream):
    upstream.will_reply(f"Nine.\n\nSource: {LINK}\n\n- [Where?](#ask)")
    visitor.send("When?")
    saved = visitor.client.get("/chat/help/transcript.txt").content.decode()
    assert saved.endswith("\nNine.\n\nSource: Hours (https://shop.example/hours)\n\n- Where?\n")


def test_hostile_paragraphs_are_handled_in_time():
    began = time.process_time()
    pieces = ("[a](https://", "[a\\", '[a](#source "\\', "\\[1\\] ", "a", "[a](#source ", f"{LINK}\\\n", '"')
    for piece in (*pieces, "[a](<https://a"):
        sources.split("a\n\n" + piece * (64 * 1024 // len(piece)))
    assert time.process_time() - began < 2
