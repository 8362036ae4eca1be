// The inbox's script, one file per behaviour; `collectstatic` joins them into this one.
import "./menus.js";
import "./inbox/live.js";
import "./inbox/list.js";
import "./inbox/transcript.js";
import "./inbox/composer.js";
import "./inbox/draft.js";
import "./inbox/canned.js";
import "./inbox/alerts.js";
import "./../webchat/chat/chime.js";
