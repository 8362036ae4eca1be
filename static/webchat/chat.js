// The chat page's script, one file per behaviour; `collectstatic` joins them into this one.
import "./chat/live.js";
import "./chat/composer.js";
import "./chat/character_counter.js";
import "./chat/draft.js";
import "./chat/sending.js";
import "./chat/push_url.js";
import "./chat/transcript.js";
import "./chat/announcer.js";
import "./chat/countdown.js";
import "./chat/dialogs.js";
import "./chat/copy.js";
import "./chat/preferences.js";
import "./chat/unread_title.js";
import "./chat/times.js";
import "./chat/person.js";
