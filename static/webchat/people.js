// What a bot with people, or the form for one, needs beside the page's script.
import "./chat/updates.js";
import "./chat/reply_email.js";
import "./chat/attach.js";
import "./chat/notify.js";
