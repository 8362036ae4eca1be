"""axe finds no violation on a sample of the sites in tests/switches.py."""

from tests.browser.axe import complaints
from tests.browser.conftest import SAMPLE


def test_axe_finds_nothing_in_any_combination_of_switches(new_visitor, site):
    page = new_visitor().new_page()
    found = {}
    for number, switches in SAMPLE.items():
        page.emulate_media(color_scheme="dark" if number % 4 else "light")
        for path in ("", "person") if switches["handover"] else ("",):
            page.goto(f"{site.url}/chat/bot-{number}/{path}")
            found[number, path] = complaints(page)
    assert len(found) > len(SAMPLE)
    assert not {where: each for where, each in found.items() if each}
