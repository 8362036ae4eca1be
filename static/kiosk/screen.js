// The screen around the visits, which stays open for weeks; one file per behaviour, joined into this one by `collectstatic`.
import "./confined.js";
import "./screen/active_screen.js";
import "./screen/visits.js";
import "./screen/idle.js";
import "./screen/chime.js";
import "./screen/pulse.js";
import "./screen/awake.js";
