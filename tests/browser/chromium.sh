#!/bin/sh
# Starts the browser named in CHROMIUM without the address bar's suggestions: nobody sees them in a test, and loading
# them takes more processor time in each new window than our own page. Playwright has no way to add to this list.
UNSEEN=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup
for argument; do
    shift
    case $argument in --disable-features=*) argument=$argument,$UNSEEN ;; esac
    set -- "$@" "$argument"
done
exec "$CHROMIUM" "$@"
