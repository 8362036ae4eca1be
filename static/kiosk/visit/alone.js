// A visit belongs inside the screen, which clears it: opened by itself, it is replaced by the screen.

if (window.top === window) location.replace(location.pathname.replace("/visit/", "/"));
