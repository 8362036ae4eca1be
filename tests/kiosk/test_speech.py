"""Speech: pages may use the microphone only where the owner allows it."""

from django.test import Client

from kiosk import devices, visits
from kiosk.models import Device
from tests.kiosk.conftest import TOKEN


def pages(device: Device) -> list[tuple[str, str]]:
    """Return the permissions policy and content of three pages: the screen, the visit in it, and the public chat."""
    client = Client()
    client.cookies[devices.COOKIE], client.cookies[visits.COOKIE] = TOKEN, str(device.visit)
    responses = [client.get(path) for path in ("/kiosk/help/", "/kiosk/visit/help/", "/chat/help/")]
    assert [response.status_code for response in responses] == [200] * 3
    return [(response["Permissions-Policy"], response.content.decode()) for response in responses]


def test_only_with_speech_on_and_only_the_kiosks_pages_may_use_the_microphone(device):
    for policy, page in pages(device):
        assert "microphone=()" in policy
        assert "data-listen " not in page
        assert "data-read-aloud" not in page
    device.speech = True
    device.save()
    (screen, _), (visit, page), (chat, _) = pages(device)
    assert "microphone=(self)" in screen
    assert "microphone=(self)" in visit
    assert "microphone=()" in chat
    assert "data-listen " in page
    assert "data-read-aloud" in page
    assert "camera=()" in visit
