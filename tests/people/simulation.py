"""What each process of `make simulate` runs, on its own database."""

import os
import time

SCHEDULES = 100  # from one seed


def play(number: int, seed: int, seconds: float) -> dict[str, object]:
    """Return how many schedules and steps were played in this process, and what broke."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "chatsite.settings")
    import django

    django.setup()
    from django.db import connection

    from tests.people import machine

    own_name = connection.settings_dict["NAME"]
    if connection.vendor != "sqlite":
        connection.settings_dict["TEST"]["NAME"] = f"simulate_{number}"
    connection.creation.create_test_db(verbosity=0, serialize=False, autoclobber=True)
    end, broken = time.monotonic() + seconds, ""
    try:
        while time.monotonic() < end and not broken:
            try:
                machine.play(seed, SCHEDULES)
            except AssertionError as error:
                notes = "\n".join(getattr(error, "__notes__", ()))
                broken = f"Broken, --seed {seed}: {error}\n{notes}"
            seed += 1
    finally:
        connection.creation.destroy_test_db(own_name, verbosity=0)
    return {"broken": broken, **machine.played}
