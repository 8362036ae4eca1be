"""Training on websites: which pages are read, which are left alone, and what is read again."""

import gzip
from typing import Any

import pytest

from docbot.models import Document, TrainedBot
from docbot.training.training import TrainingReport, train
from tests.docbot.made_files import pdf
from tests.docbot.sites import Site
from tests.http_server import Request

TEXT = "This is a page about many things that people like to know."


@pytest.fixture
def trained_bot(db: None, own_data_folder: None, settings: Any) -> TrainedBot:
    settings.DOCBOT_SITE_DELAY, settings.DOCBOT_ALLOW_PRIVATE = 0, True
    return TrainedBot.objects.create(slug="help", name="Help")


def read(trained_bot: TrainedBot, site: Site, path: str = "/") -> TrainingReport:
    site.asked.clear()
    return train(trained_bot, [site.at(path)])


def pages(trained_bot: TrainedBot) -> set[str]:
    """Return the paths of the pages whose text the bot knows."""
    locations = trained_bot.documents.exclude(trained_at=None).values_list("location", flat=True)
    return {"/" + location.split("/", 3)[3] for location in locations}


def test_linked_pages_are_read_on_the_same_host_only(trained_bot, site):
    site.page("/", TEXT, "/prices", "help.html#top", "http://elsewhere.example/", "mailto:a@b.c", "/logo.png")
    site.page("/prices", "A seat costs five euros.", "/")
    site.page("/help.html", "Call us.", "/deep")
    site.page("/deep", "Deep down.")
    report = read(trained_bot, site)
    assert pages(trained_bot) == {"/", "/prices", "/help.html", "/deep"}
    assert (report.read, report.problems) == (4, [])
    page = trained_bot.documents.get(title="Prices")
    assert (page.kind, page.url) == (Document.Kind.WEBSITE, site.at("/prices"))
    assert page.passages.get().text == "A seat costs five euros."
    assert "/logo.png" not in site.paths()


def test_pages_below_the_given_folder_are_read_only(trained_bot, site):
    site.page("/docs/start.html", TEXT, "/docs/a", "/blog/b")
    site.page("/docs/a", "In.")
    site.page("/blog/b", "Out.")
    read(trained_bot, site, "/docs/start.html")
    assert pages(trained_bot) == {"/docs/start.html", "/docs/a"}


AROUND_EACH_PAGE = """
    <header><a href="/">Home</a> <p>Call us: <a href="tel:+4930123456">030 123456</a></p></header>
    <main><h1>{title}</h1><p>{text}</p></main>
    <footer><div class="footer-left"><p>Mill Lane 5<br>12345 Berlin</p><p>Mon–Fri 9–17</p></div>
    <nav><a href="/prices">Prices</a></nav><a href="/legal">Privacy</a><p>© 2019–2026 The Mill</p></footer>
"""


def test_contact_details_around_the_pages_are_known_once(trained_bot, site):
    for path, title, text in (("/", "The mill", TEXT), ("/prices", "Prices", "A seat costs five euros.")):
        site.file(path, AROUND_EACH_PAGE.format(title=title, text=text).encode(), "text/html; charset=utf-8")
    read(trained_bot, site)
    known = {page.title: "\n\n".join(each.text for each in page.passages.all()) for page in trained_bot.documents.all()}
    contact = "- Call us: 030 123456\n- Mill Lane 5, 12345 Berlin\n- Mon–Fri 9–17"
    assert known == {"The mill": f"{TEXT}\n\n{contact}", "Prices": "A seat costs five euros."}


def test_what_a_page_says_itself_and_other_footers_are_no_contact_details(trained_bot, site):
    article = "<article><p>An article.</p><footer>Posted on 1 May at 9</footer></article>"
    main = f"<main><p>{TEXT} We have 2 or 3.</p>{article}</main><footer>Made with love</footer>"
    site.file("/", f"<div class='has-footer'>{main}</div>".encode(), "text/html")
    read(trained_bot, site)
    assert trained_bot.passages().get().text == f"{TEXT} We have 2 or 3.\n\nAn article."


SITEMAPS = {
    "plain": ("/sitemap.xml", lambda xml: xml),
    "named in robots.txt": ("/maps/own.xml.gz", lambda xml: gzip.compress(xml)),
}


@pytest.mark.parametrize("name", SITEMAPS)
def test_pages_listed_only_in_the_sitemap_are_read(trained_bot, site, name):
    path, pack = SITEMAPS[name]
    site.page("/", TEXT)
    site.page("/hidden?a=1&b=2", "Nobody links here.")
    site.file("/robots.txt", f"Sitemap: {site.at(path)}".encode() if "robots" in name else b"", "text/plain")
    index = f"<sitemapindex><sitemap><loc>{site.at('/second.xml')}</loc></sitemap></sitemapindex>"
    site.file(path, pack(index.encode()), "application/xml")
    second = f"<urlset><url><loc>\n {site.at('/hidden')}?a=1&amp;b=2 </loc></url></urlset>"
    site.file("/second.xml", second.encode(), "application/xml")
    read(trained_bot, site)
    assert pages(trained_bot) == {"/", "/hidden?a=1&b=2"}


def test_a_sitemap_bomb_does_no_harm(trained_bot, site):
    site.page("/", TEXT)
    site.file("/sitemap.xml", gzip.compress(b"<loc>x</loc>" * 5_000_000, 1), "application/xml")
    assert read(trained_bot, site).read == 1


def test_robots_txt_is_obeyed_and_newly_forbidden_pages_are_removed(trained_bot, site):
    site.page("/", TEXT, "/open", "/secret/a", "/secret/b")
    site.page("/open", "Open.")
    site.page("/secret/a", "Secret.")
    site.page("/secret/b", "Not so secret.")
    site.file("/robots.txt", b"User-agent: *\nDisallow: /secret/\nAllow: /secret/b", "text/plain")
    read(trained_bot, site)
    assert pages(trained_bot) == {"/", "/open", "/secret/b"}
    assert "/secret/a" not in site.paths()
    site.file("/robots.txt", b"User-agent: docbot\nDisallow: /open", "text/plain")
    trained_bot.documents.update(fingerprint="")  # as after an update that reads better
    assert read(trained_bot, site).forgotten == 1
    assert pages(trained_bot) == {"/", "/secret/a", "/secret/b"}


@pytest.mark.parametrize("broken", ["status", "forbidden", "silent"])
def test_a_site_whose_rules_cannot_be_read_is_left_alone_and_nothing_is_removed(trained_bot, site, broken):
    site.page("/", TEXT)
    read(trained_bot, site)
    if broken == "status":
        site.status("/robots.txt", 503, Retry_After="0")
    elif broken == "forbidden":
        site.file("/robots.txt", b"User-agent: *\nDisallow: /", "text/plain")
    else:
        site.answers["/robots.txt"] = lambda request: request.connection.close()
    report = read(trained_bot, site)
    assert len(report.problems) == 1
    assert pages(trained_bot) == {"/"}


def test_a_second_training_only_reads_what_has_changed(trained_bot, site):
    site.page("/", TEXT, "/a", "/b", "/c")
    for path in ("/a", "/b", "/c"):
        site.page(path, f"This is {path}.")
    read(trained_bot, site)
    site.page("/b", "This has changed.", "/new")
    site.page("/new", "New.")
    report = read(trained_bot, site)
    assert (report.read, report.unchanged, report.forgotten) == (2, 3, 0)
    assert read(trained_bot, site).indexed is False
    site.page("/b", "Something else stands here now.", "/new")
    assert train(trained_bot).read == 1  # without a path, all that it was trained on


def test_a_deleted_page_is_removed_and_an_unreachable_page_or_site_keeps_its_text(trained_bot, site):
    site.page("/", TEXT, "/gone", "/moved", "/down", "/wishes")
    for path in ("/gone", "/moved", "/down", "/wishes"):
        site.page(path, f"This is {path}.")
    read(trained_bot, site)
    site.gone("/gone")
    site.redirect("/moved", "/new")
    site.page("/new", "This is where it went.")
    site.status("/down", 500)
    site.page("/wishes", "Do not read this.", head='<meta name="robots" content="noindex">')
    report = read(trained_bot, site)
    assert pages(trained_bot) == {"/", "/new", "/down"}
    assert report.forgotten == 3
    assert report.problems == [(site.at("/down"), "the website answers with an error (status 500)")]
    site.page("/down", "This is /down.")
    assert read(trained_bot, site).problems == []
    assert trained_bot.documents.exclude(problem="").count() == 0
    site.answers = {"/": lambda request: request.connection.close()}
    assert read(trained_bot, site).problems == [(site.at("/"), "its answer breaks off")]
    assert pages(trained_bot) == {"/", "/new", "/down"}


def test_redirects_are_followed_within_the_host_only_which_is_that_of_the_first_urls_target(trained_bot, site):
    with Site() as bare, Site() as other:
        bare.redirect("/", site.at("/en/"))
        site.page("/en/", TEXT, "/old", "/away", "/loop")
        site.redirect("/old", "/new")
        site.page("/new", "New.")
        site.redirect("/away", other.at("/"))
        site.redirect("/loop", "/loop")
        other.page("/", "Elsewhere.")
        read(trained_bot, bare)
        assert pages(trained_bot) == {"/en/", "/new"}
        assert other.asked == []


def test_a_site_that_moves_to_another_host_is_not_stored_twice(trained_bot, site):
    site.page("/", TEXT, "/a")
    site.page("/a", "This is a.")
    read(trained_bot, site)
    with Site() as new:
        new.answers = dict(site.answers)
        site.redirect("/", new.at("/"))
        assert read(trained_bot, site).forgotten == 2
        assert {document.location for document in trained_bot.documents.all()} == {new.at("/"), new.at("/a")}


def test_one_page_under_several_urls_is_one_document_unless_all_name_the_home_page_as_theirs(trained_bot, site):
    home, canonical = (f'<link rel="canonical" href="{site.at(path)}">' for path in ("/", "/page"))
    site.page("/", TEXT, "/page?utm_source=x", "/page?sort=up", "/page?sort=down", "/copy", "/index.html", head=home)
    for path in ("/page", "/page?sort=up", "/page?sort=down"):
        site.page(path, f"The page of {path}.", head=canonical)
    site.page("/copy", "Copied.", head=home)
    site.answers["/index.html"] = site.answers["/"]
    read(trained_bot, site)
    assert pages(trained_bot) == {"/", "/page", "/copy"}


def test_documents_on_a_website_are_read_by_their_kind_and_broken_links_are_not_reported(trained_bot, site):
    site.page("/", TEXT, "/manual", "/notes.md", "/list.csv", "/latin.txt", "/film.bin", "/nowhere", "/login")
    site.status("/login", 403)
    site.file("/manual", pdf([(20, "The manual"), (10, "Press the button.")]), "application/pdf")
    site.file("/notes.md", b"# Notes\n\n## One\n\nFirst.", "text/plain")
    site.file("/list.csv", b"Name,Phone,City\nAnna,123,Bonn", "application/octet-stream")
    site.file("/latin.txt", "Öffnungszeiten: täglich.".encode("latin-1"), "text/plain; charset=iso-8859-1")
    site.file("/film.bin", b"\x00" * 100, "video/mp4")
    report = read(trained_bot, site)
    texts = {document.title: document.passages.get().text for document in trained_bot.documents.all()}
    assert texts["The manual"] == "Press the button."
    assert texts["Notes"] == "First."
    assert texts["List"] == "Name: Anna; Phone: 123; City: Bonn"
    assert texts["Latin"] == "Öffnungszeiten: täglich."
    assert report.problems == []


def test_a_page_without_text_is_named(trained_bot, site):
    site.page("/", TEXT, "/app")
    site.file("/app", b"<html><body><div id=root></div><script>x</script>", "text/html")
    for _ in range(2):
        assert read(trained_bot, site).problems == [(site.at("/app"), "there is no text in it")]


def test_the_limits_of_a_site_are_kept(trained_bot, site, settings):
    settings.DOCBOT_SITE_MAX_PAGES, settings.DOCBOT_SITE_DEPTH = 5, 3

    for day in range(100):
        site.page(f"/{day or ''}", f"Text of {day}.", f"/{day + 1}")  # as in a calendar
    assert read(trained_bot, site).read == 4  # the maximum depth
    settings.DOCBOT_SITE_DEPTH = 100
    trained_bot.documents.update(fingerprint="")
    report = read(trained_bot, site)
    assert report.problems == [(site.at("/"), "it has more pages than are read (DOCBOT_SITE_MAX_PAGES: 5)")]
    assert len(pages(trained_bot)) == 5
    settings.DOCBOT_SITE_MAX_PAGES = 8
    read(trained_bot, site)
    assert len(pages(trained_bot)) == 8


def test_a_site_that_keeps_failing_is_left_alone(trained_bot, site):
    site.page("/", TEXT, *(f"/{number}" for number in range(50)))
    for number in range(50):
        site.status(f"/{number}", 500)
    report = read(trained_bot, site)
    assert report.problems[-1] == (site.at("/"), "too many of its pages can’t be fetched (10)")
    assert len(site.asked) < 20


def test_a_site_that_asks_for_a_pause_is_requested_once_more(trained_bot, site):
    site.page("/", TEXT, "/busy")
    site.page("/busy", "At last.")
    whole = site.answers["/busy"]

    def busy(request: Request) -> None:
        site.answers["/busy"] = whole
        request.respond(429, **{"Retry-After": "0"})

    site.answers["/busy"] = busy
    read(trained_bot, site)
    assert pages(trained_bot) == {"/", "/busy"}


def test_an_interrupted_crawl_continues_where_it_ended(trained_bot, site):
    site.page("/", TEXT, "/a", "/b")
    site.page("/a", "This is a.", "/c")
    site.page("/b", "This is b.")
    site.page("/c", "This is c.")

    def interrupt(step: Any) -> None:
        if step.current.endswith("/b"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(trained_bot, [site.at("/")], progress=interrupt)
    report = read(trained_bot, site)
    assert (report.read, report.unchanged) == (2, 2)
    assert pages(trained_bot) == {"/", "/a", "/b", "/c"}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_private_ips_are_refused_unless_allowed(trained_bot, site, settings, host):
    settings.DOCBOT_ALLOW_PRIVATE = False
    site.page("/", TEXT)
    assert "is private" in train(trained_bot, [site.at("/", host)]).problems[0][1]
    assert site.asked == []
    settings.DOCBOT_ALLOW_PRIVATE = True
    assert read(trained_bot, site).read == 1
