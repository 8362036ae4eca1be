// The screen around the visits, which stands there for weeks: one file a behaviour. `collectstatic` puts them into this one.
import "./confined.js";
import "./screen/stands.js";
import "./screen/visits.js";
import "./screen/idle.js";
import "./screen/chime.js";
import "./screen/pulse.js";
import "./screen/awake.js";
