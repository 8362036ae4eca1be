// The chat page of one visit: webchat's behaviours, but for those that keep something or lead somewhere; and the kiosk's own.
import "./confined.js";
import "./visit/alone.js";
import "./../webchat/chat/live.js";
import "./../webchat/chat/composer.js";
import "./../webchat/chat/left.js";
import "./../webchat/chat/transcript.js";
import "./../webchat/chat/announcer.js";
import "./../webchat/chat/reveal.js";
import "./../webchat/chat/countdown.js";
import "./../webchat/chat/times.js";
