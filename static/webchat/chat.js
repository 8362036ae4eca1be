// What the page does beyond plain HTML: one file a behaviour. `collectstatic` puts them into this one.
import "./chat/live.js";
import "./chat/composer.js";
import "./chat/left.js";
import "./chat/transcript.js";
import "./chat/announcer.js";
import "./chat/countdown.js";
import "./chat/confirm.js";
