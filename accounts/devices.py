"""Short names of browsers, which are stored instead of the whole User-Agent."""

# In this order, because most browsers also claim to be those that follow them.
_BROWSERS = [("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari")]
_SYSTEMS = [("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows")]
_SYSTEMS += [("Mac OS X", "macOS"), ("macOS", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux")]


def device_name(user_agent: str) -> str:
    """Return browser and system, such as “Firefox · Android”; "?" for what is unknown."""
    found = (next((name for mark, name in marks if mark in user_agent), "") for marks in (_BROWSERS, _SYSTEMS))
    return " · ".join(filter(None, found)) or "?"
