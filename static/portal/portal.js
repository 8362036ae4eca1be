// The portal's start page: a table of contents, joined into one file by `collectstatic`.
import "./../webchat/chat/installed.js";
import "./../webchat/chat/times.js";
import "./list.js";
