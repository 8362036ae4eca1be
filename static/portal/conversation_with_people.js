// A conversation in the portal with a bot with people.
import "./conversation.js";
import "./../webchat/people.js";
