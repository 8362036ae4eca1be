"""Two visitors in a row: the second can find no trace of the first."""

from playwright.sync_api import Response, expect

SECRET = "Sycamore"  # in everything that the first visitor writes, and in the reply

KEEP = """(body, secret) => {
  sessionStorage.setItem("a", secret);
  localStorage.setItem("b", secret);
  body.ownerDocument.title = secret;
}"""


def test_after_an_interrupted_visit_the_next_visitor_finds_no_trace_of_it(kiosk, upstream):
    """A power cut, a crash, a reload; test_kiosk_cycle.py has the other ends of a visit."""
    entries = kiosk.page.evaluate("history.length")
    cookies = {each["name"]: each["value"] for each in kiosk.page.context.cookies()}
    upstream.will_reply(f"**{SECRET}**, with [a link](https://shop.example/{SECRET}).")
    kiosk.begin()
    kiosk.chat.ask(f"My name is {SECRET}")
    kiosk.chat.write(f"{SECRET}, and what I haven't sent")
    kiosk.frame.locator("body").evaluate(KEEP, SECRET)
    assert SECRET in kiosk.everything()

    kiosk.page.reload()
    kiosk.expect("attract")
    kiosk.wait_for_visit()
    heard: list[Response] = []
    kiosk.page.on("response", lambda response: heard.append(response))
    assert SECRET not in kiosk.everything()
    kiosk.begin()
    assert kiosk.chat.box.input_value() == ""
    kiosk.chat.expect_said()
    assert SECRET not in kiosk.everything()
    kiosk.chat.ask("Who was here before?")
    assert SECRET not in kiosk.everything()

    assert SECRET not in "".join(each.text() for each in heard if each.status == 200)
    assert upstream.requests[-1].chat_id is None
    assert kiosk.page.evaluate("history.length") == entries
    assert SECRET not in kiosk.cookies()
    fresh = {each["name"]: each["value"] for each in kiosk.page.context.cookies()}
    assert fresh["kiosk"] == cookies["kiosk"]
    assert fresh["csrftoken"] != cookies["csrftoken"]
    assert fresh["visit"] != cookies["visit"]
    assert set(fresh) == {"kiosk", "csrftoken", "visit"}
    kiosk.page.go_back()  # to where Playwright's pages begin
    kiosk.page.go_forward()
    kiosk.expect("attract")
    assert SECRET not in kiosk.everything()


def test_a_pending_reply_and_the_clipboard_do_not_reach_the_next_visitor(kiosk, upstream):
    fields = kiosk.frame.locator(":is(input, textarea):not([name=csrfmiddlewaretoken], [autocomplete=off])")
    assert fields.evaluate_all("all => all.map((each) => each.outerHTML)") == []  # the browser fills in nothing
    answer_now = upstream.will_hold(f"{SECRET} it is.")
    kiosk.begin()
    kiosk.chat.write(SECRET)
    kiosk.chat.box.press("Control+a")
    kiosk.chat.box.press("Control+x")
    assert kiosk.chat.box.input_value() == SECRET
    kiosk.chat.box.press("Enter")
    kiosk.chat.wait_until_asked(upstream)
    kiosk.finish.click()
    kiosk.expect("attract")
    kiosk.wait_for_visit()
    kiosk.begin()
    kiosk.chat.box.press("Control+v")
    assert SECRET not in kiosk.chat.box.input_value()
    answer_now.set()
    kiosk.chat.ask("Hello")
    assert SECRET not in kiosk.everything()
    kiosk.chat.expect_said("Hello")
    expect(kiosk.chat.replies).to_have_text(["You said: Hello"])
