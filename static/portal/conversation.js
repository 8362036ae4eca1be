// A conversation in the portal: the chat page's script and the list beside it, joined into one file by `collectstatic`.
import "./../webchat/chat.js";
import "./list.js";
