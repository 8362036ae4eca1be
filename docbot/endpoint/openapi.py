"""The OpenAPI 3.1 description of the endpoint: a file, with this site's limits put in."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings

_FILE = Path(__file__).with_suffix(".json")


def document() -> dict[str, Any]:
    described = json.loads(_FILE.read_text(encoding="utf-8"))
    request = described["paths"]["/api/public/chat"]["post"]["requestBody"]
    request["description"] = f"At most {settings.DOCBOT_REQUEST_MAX_BYTES:,} bytes of UTF-8."
    message = described["components"]["schemas"]["Request"]["properties"]["message"]
    message["maxLength"] = settings.DOCBOT_MESSAGE_MAX_LENGTH
    return described
