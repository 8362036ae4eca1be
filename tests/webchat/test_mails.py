"""Every e-mail has a plain and an HTML part with the same content; it loads nothing."""

from django.core import mail
from django.utils import translation
from django.utils.html import format_html
from lxml import html

from webchat.notifications import mails

CONTENT = mails.Content(
    name="Ada <b>",
    heading="Grace has answered you",
    paragraphs=["One & two"],
    message="Two lines,\n<u>as written</u>",
    quotes=["It is **on its way**.\n\n![a](https://example.com/spy.png)<script>alert(1)</script>"],
    transcript=format_html("<p>{}</p>", "<i>Hello</i>"),
    before_url="Answer here:",
    button="Continue here",
    url="https://chat.example.com/resume/abc",
    note="It wasn’t you? Ignore it.",
    accent="#ff8800",
)


def parts(content: mails.Content) -> tuple[str, html.HtmlElement]:
    message = mails.make(content.heading, "jo@example.com", content)
    return message.body, html.document_fromstring(message.alternatives[0].content)


def test_both_parts_have_the_same_content():
    text, page = parts(CONTENT)
    assert text == (
        "Grace has answered you\n\nOne & two\n\nTwo lines,\n<u>as written</u>\n\n"
        "It is on its way.\n\na (https://example.com/spy.png)<script>alert(1)</script>\n\n"
        "Answer here:\nhttps://chat.example.com/resume/abc\n\nIt wasn’t you? Ignore it.\n\n<i>Hello</i>\n"
    )
    shown = page.find("body").text_content()
    for said in (CONTENT.name, "One & two", "<u>as written</u>", "on its way", "<i>Hello</i>", "Ignore it."):
        assert said in shown
    assert [(link.text, link.get("href")) for link in page.xpath("//a[@class='button']")] == [
        (CONTENT.button, CONTENT.url)
    ]


MARKDOWN = """\
Yes: **all** of it, see [the prices](https://example.com/prices), until May[^1]. `--help`

| What | Days | Price |
|---|---|---|
| A *chain* | | 75 |

3. Bring it
4. Take:
   - [x] the pump

```sh
make run

  make test
```

> Paid

# Term
Term
: Meaning
"""
PLAIN = """\
Yes: all of it, see the prices (https://example.com/prices), until May[1]. --help

What · Days · Price
A chain · – · 75

3. Bring it
4. Take:
  - ☑ the pump

    make run

      make test

> Paid

Term

Term
  Meaning
"""


def test_the_plain_part_shows_no_markdown():
    text, _ = parts(mails.Content(name="Ada", heading="An answer", quotes=[MARKDOWN]))
    assert text.replace("\ufe0e", "") == f"An answer\n\n{PLAIN}"


def test_an_email_loads_nothing_runs_nothing_and_has_the_bots_colour_if_it_is_readable():
    _, page = parts(CONTENT)
    assert page.xpath("//script | //img | //link | //@src | //@style") == []
    assert "url(" not in page.findtext(".//style")
    assert "#ffffff" in page.findtext(".//style")
    assert "#ff8800" not in page.findtext(".//style").partition("@media")[0], "too light for white text"


def test_an_email_has_the_direction_of_its_language():
    with translation.override("ar"):
        _, page = parts(CONTENT)
    assert (page.get("lang"), page.get("dir")) == ("ar", "rtl")


def test_a_subject_of_two_lines_adds_no_header():
    mails.make("One\nBcc: all@example.com", "jo@example.com", CONTENT).send()
    assert mail.outbox[0].subject == "One Bcc: all@example.com"
