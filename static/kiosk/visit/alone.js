// A visit belongs into the screen, which wipes it: opened by itself it makes way for the screen.

if (window.top === window) location.replace(location.pathname.replace("/visit/", "/"));
