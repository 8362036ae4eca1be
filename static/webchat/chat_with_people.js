// The chat page’s script for a bot with people; one file, because another request would cost more than it saves.
import "./chat.js";
import "./people.js";
