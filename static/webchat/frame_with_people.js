// The widget’s frame for a bot with people.
import "./frame.js";
import "./people.js";
