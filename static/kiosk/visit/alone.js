// A visit opened outside the screen, which clears it afterwards, is replaced by the screen.

if (window.top === window) location.replace(location.pathname.replace("/visit/", "/"));
