// What the page does beyond plain HTML: one file a behaviour. `collectstatic` puts them into this one.
import "./chat/live.js";
import "./chat/composer.js";
import "./chat/left.js";
import "./chat/draft.js";
import "./chat/begun.js";
import "./chat/transcript.js";
import "./chat/announcer.js";
import "./chat/reveal.js";
import "./chat/countdown.js";
import "./chat/dialogs.js";
import "./chat/copy.js";
import "./chat/preferences.js";
import "./chat/away.js";
import "./chat/times.js";
import "./chat/person.js";
