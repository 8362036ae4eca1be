// The widget's launcher: <script src="https://…/embed.js" data-bot="…" async></script> on any website.
// docs/embed.md names its data-* attributes and window.Webchat. No dependency, no inline style or script, no cookie.
(() => {
  const script = document.currentScript;
  const { bot = "help", lang, target, open: openAtOnce, ...own } = script.dataset;
  if (window.Webchat) return; // loaded twice, for example by pages that swap their body
  const site = new URL(script.src).origin;
  const key = `webchat ${bot}`;
  const session = () => (identity ? "session person" : "session");
  const phone = matchMedia("(max-width:30rem),(max-height:26rem)");
  const handlers = {};
  const waiting = [];
  let settings = {
    name: "Chat",
    texts: { open: "Open the chat", close: "Close the chat", dismiss: "Dismiss", unread: "New messages: #" },
  };
  let identity = own.identity ?? window.webchatIdentity; // a token, or a function that returns one
  let frame, isReady, saying, button, badge, status, sheet, teaser, theme;
  let unread = 0;

  const ICONS = {
    chat: "M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8l-5 4v-4H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z",
    question: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18h.01",
    close: "M6 6l12 12M18 6L6 18",
    spark: "M12 3l2 7 7 2-7 2-2 7-2-7-7-2 7-2z",
  };
  // The grounds are the chat page's own (tokens.css).
  // The website's style sheet reaches the host element alone: it has no box, and what it hands down ends at the widget's root.
  // In em and %: a website may set its own rem, and zoom enlarges vw and vh.
  const STYLE = `:host{display:contents;--accent:#2b59c8;--on:#fff;--low:var(--webchat-bottom,1.25em)}
.root{all:initial;color-scheme:var(--scheme,light dark);font:medium/1.5 system-ui,sans-serif}
[hidden]{display:none!important}
.corner{position:fixed;z-index:2147483000;inset-block-end:max(var(--low),env(safe-area-inset-bottom));inset-inline-end:1.25em;display:flex;flex-wrap:wrap;align-items:center;justify-content:end;gap:.75em;max-inline-size:calc(100% - 2.5em)}
.start,.start~dialog{inset-inline:1.25em auto}
.start{flex-direction:row-reverse}
button{position:relative;font:inherit;color:inherit;background:none;border:0;cursor:pointer}
.launch{display:flex;align-items:center;gap:.5em;min-inline-size:3.5em;min-block-size:3.5em;padding:0 1em;border-radius:2em;background:var(--accent);color:var(--on);box-shadow:0 6px 24px #0003;transition:scale .18s}
.launch:active{scale:.94}
svg{inline-size:1.5em;fill:none;stroke:currentcolor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round;animation:turn .18s}
@keyframes turn{0%{opacity:0;rotate:-90deg}}
@keyframes rise{0%{opacity:0;translate:0 .5em}}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.badge{position:absolute;inset-block-start:-.3em;inset-inline-end:-.3em;min-inline-size:1.1em;padding:0 .3em;border-radius:1em;background:#b3261e;color:#fff;font-size:.75em;line-height:1.7;text-align:center}
.unseen{position:fixed;clip-path:inset(50%)}
.teaser{display:flex;max-inline-size:16em;border-radius:1em;background:light-dark(#fff,#1d2026);box-shadow:0 6px 24px #0003;animation:rise .18s}
.teaser button{padding:.6em .8em;text-align:start}.teaser button+button{padding-inline-start:.4em}
dialog{position:fixed;z-index:2147483001;inset:auto;inset-block-end:calc(4.75em + var(--low));inset-inline-end:1.25em;inline-size:clamp(18em,var(--wide,25em),100% - 2.5em);block-size:clamp(16em,var(--high,42em),100% - 6.25em - var(--low));max-inline-size:none;max-block-size:none;margin:0;padding:0;border:0;border-radius:1em;overflow:hidden;background:light-dark(#fcfcfe,#111419);box-shadow:0 0 0 1px #8883,0 12px 48px #0004;transform-origin:var(--from) 100%;opacity:0;scale:.9;transition:.18s allow-discrete;transition-property:opacity,scale,display,overlay}
dialog[open]{opacity:1;scale:1}
@starting-style{dialog[open]{opacity:0;scale:.9}}
@media(max-width:30rem),(max-height:26rem){.corner~dialog{inset:var(--top,0) 0 auto;box-sizing:border-box;inline-size:100%;block-size:var(--seen,100%);padding:env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left);border-radius:0}}
iframe{display:block;inline-size:100%;block-size:100%;border:0;color-scheme:var(--scheme,light dark)}
@media(prefers-reduced-motion){*{animation:none!important;transition:none!important}}
@media(forced-colors:active){.launch,.teaser,.badge,dialog{border:1px solid}}@media print{:host{display:none!important}}`;

  const host = document.createElement("webchat-launcher");
  const root = host.attachShadow({ mode: "open" });
  const sheetOfStyles = new CSSStyleSheet(); // not subject to the host's style-src
  sheetOfStyles.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheetOfStyles];

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  function icon(name) {
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    picture.setAttribute("viewBox", "0 0 24 24");
    picture.ariaHidden = "true";
    path.setAttribute("d", ICONS[name] ?? ICONS.chat);
    picture.append(path);
    return picture;
  }

  let agreed = own.consent === undefined; // else nothing is stored until the page reports consent

  function remember(name, value, forGood) {
    if (agreed) try {
      const store = forGood ? localStorage : sessionStorage;
      if (value === undefined) return store.getItem(`${key} ${name}`);
      store.setItem(`${key} ${name}`, value);
    } catch {
      // storage is refused: remembered as long as the page
    }
  }

  /** From the script line, else from the bot. */
  const chosen = (name) => own[name] ?? settings[name];
  /** Without query and fragment, which may hold secrets. */
  const page = () => location.origin + location.pathname;
  const emit = (event, detail) => (handlers[event] ?? []).forEach((handler) => handler(detail));
  const isOpen = () => !sheet || sheet.open;

  const post = (type, text, kept) => frame.contentWindow.postMessage({ webchat: bot, type, text, kept }, site);

  function tell(type, text) {
    makeFrame();
    if (isReady) post(type, text);
    else waiting.push([type, text]);
  }

  function makeFrame() {
    if (frame) return;
    const url = new URL(`/embed/${bot}/`, site);
    url.searchParams.set("origin", location.origin);
    if (lang) url.searchParams.set("lang", lang);
    if (theme) url.searchParams.set("theme", theme);
    if (sheet && phone.matches) url.searchParams.set("closable", "");
    if (identity) url.searchParams.set("identified", "");
    else remember("session person", "", true); // the person has logged out of the website
    url.hash = page(); // never sent to a server
    frame = make("iframe", { src: url, title: settings.name, allow: "clipboard-write" });
    (sheet ?? root).append(frame);
    if (sheet) void bring("window")?.then(({ furnish }) => furnish(sheet, settings.texts.size, resize, size, phone, post));
  }

  function count(number) {
    if (!badge || number === unread) return;
    unread = number;
    badge.hidden = !number;
    badge.textContent = number > 9 ? "9+" : number;
    status.textContent = number ? settings.texts.unread.replace("#", number) : "";
    emit("unread", { count: number });
  }

  /** Show the teaser beside the button. @param {string} [name] remembered when it is dismissed */
  function speakUp(text, name) {
    if (isOpen()) return false;
    saying = name;
    teaser.firstChild.firstChild.textContent = status.textContent = text;
    teaser.hidden = false;
    return true;
  }

  const bring = (name) => settings[name] && import(new URL(settings[name], site));
  const follow = () => void bring("watch")?.then(({ watch }) => watch(settings.rules, remember, speakUp));

  function show(focus = true) {
    makeFrame();
    if (!sheet || sheet.open) return;
    if (phone.matches) sheet.showModal();
    else sheet.show();
    teaser.hidden = true;
    label();
    count(0);
    remember("open", "1");
    if (focus) tell("focus");
    if (focus) frame.focus();
    emit("open");
  }

  function hide() {
    if (!sheet?.open) return;
    sheet.close();
    label();
    remember("open", "");
    button.focus();
    emit("close");
  }

  function label() {
    button.ariaExpanded = sheet.open;
    button.querySelector("svg").replaceWith(icon(sheet.open ? "close" : chosen("icon")));
    // The name begins with the visible words, so that speech users can say them (WCAG 2.5.3).
    const words = [chosen("label"), settings.texts[sheet.open ? "close" : "open"]];
    button.ariaLabel = words.filter(Boolean).join(": ");
  }

  const size = () => remember("size", undefined, true)?.trim();

  /** @param {...(number | string)} sides in pixels; "" for the usual size */
  function resize(...sides) {
    ["--wide", "--high"].forEach((name, index) => sheet.style.setProperty(name, sides[index] && `${sides[index]}px`));
    remember("size", sides.join(" "), true);
  }

  function build() {
    place();
    const atStart = chosen("position") === "start";
    const words = chosen("label");
    theme = ["light", "dark"].find((each) => each === chosen("theme"));
    const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    host.style.setProperty("--accent", own.color ?? settings.accent?.[+dark] ?? "");
    host.style.setProperty("--on", own.onColor ?? (own.color ? "#fff" : (settings.onAccent?.[+dark] ?? "")));
    if (theme) host.style.setProperty("--scheme", theme);
    if (lang) host.lang = lang;
    if (target) return makeFrame();
    badge = make("span", { className: "badge", hidden: true, ariaHidden: "true" });
    status = make("p", { className: "unseen", role: "status" });
    sheet = make("dialog", { id: "chat", ariaLabel: settings.name });
    button = make("button", { type: "button", className: "launch", onclick: ({ detail }) => detail > 1 || (sheet.open ? hide() : show()) });
    button.setAttribute("aria-controls", "chat");
    button.append(icon(), ...(words ? [words] : []), badge);
    button.onpointerenter = makeFrame;
    teaser = make("div", { className: "teaser", hidden: true });
    const dismiss = () => {
      teaser.hidden = true;
      if (saying) remember(saying, "dismissed", true);
    };
    teaser.append(
      make("button", { type: "button", onclick: () => (dismiss(), show()) }, make("bdi")),
      make("button", { type: "button", ariaLabel: settings.texts.dismiss, onclick: dismiss }, "×"),
    );
    const corner = make("div", { className: `corner ${atStart ? "start" : ""}` }, teaser, button);
    root.append(make("div", { className: "root" }, corner, status, sheet));
    sheet.style.setProperty("--from", (getComputedStyle(sheet).direction === "rtl") === atStart ? "100%" : "0%");
    sheet.oncancel = (event) => (event.preventDefault(), hide());
    root.addEventListener("keydown", (event) => event.key === "Escape" && hide());
    label();
    const after = (chosen("teaserAfter") ?? 10) * 1000;
    if (chosen("teaser") && !remember("teaser", undefined, true)) setTimeout(() => teaser.hidden && speakUp(chosen("teaser"), "teaser"), after);
    if (agreed) follow();
    if (size()) resize(...size().split(" "));
    if (openAtOnce !== undefined || remember("open")) show(false);
  }

  addEventListener("message", (event) => {
    if (event.origin !== site || event.source !== frame?.contentWindow || event.data?.webchat !== bot) return;
    const { type, code, text, token } = event.data;
    // Some browsers refuse all storage to frames: then the conversation's token is kept here.
    if (type === "kept?") return post("kept", remember(session(), undefined, true));
    if (type === "keep") return remember(session(), token, true);
    if (type === "identity?") return identify();
    if (type === "forget") return remember("session", "", true);
    if (type === "ready") {
      isReady = true;
      waiting.splice(0).forEach((words) => tell(...words));
    }
    if (type === "message") post("page", page());
    if (type === "reply" && !isOpen()) count(unread + 1);
    if (type === "close") hide();
    else emit(type, (code || text) && { code, text }); // the text only if the bot's owner wants it
  });

  async function identify() {
    const asking = frame;
    let token;
    try {
      token = identity.call ? await identity() : identity;
    } catch {
      // the website can't identify the visitor, who stays anonymous
    }
    if (frame === asking) post("identity", token || "", [remember(session(), undefined, true), remember("session", undefined, true)]);
  }

  const place = () => {
    const where = target ? document.querySelector(target) : document.documentElement;
    if (where && host.parentNode !== where) {
      isReady = false; // moving a frame reloads it
      where.append(host);
    }
  };
  const watcher = new MutationObserver(() => host.isConnected || place());

  /** Calls made before the launcher exists run once it does. */
  const once = (act) => (text) => void built.then((stands) => stands && act(text));

  window.Webchat = {
    open: once(() => show()),
    close: once(hide),
    toggle: once(() => (isOpen() ? hide() : show())),
    send: once((text) => (show(), tell("send", String(text)))),
    show: once((text) => speakUp(String(text))),
    identify: once((given) => {
      identity = given;
      if (!frame) return;
      frame.remove();
      frame = isReady = undefined;
      makeFrame();
    }),
    consent: once(() => {
      if (!agreed && (agreed = true) && sheet) follow();
    }),
    newConversation: once(() => tell("new")),
    on: (event, handler) => void (handlers[event] ??= []).push(handler),
    destroy() {
      watcher.disconnect();
      host.remove();
      delete window.Webchat;
      delete window.webchatCalls;
    },
  };

  const built = fetch(`${site}/embed/${bot}/launcher.json${lang ? `?lang=${lang}` : ""}`, { credentials: "omit" })
    .then((answer) => (answer.ok ? answer.json() : Promise.reject()))
    .then((known) => (settings = known))
    .catch(() => {}) // blocked by the host's policy: attributes and defaults apply
    .then(() => {
      if (settings.allowed === false) {
        const check = `${site}/embed/${bot}/check?site=${encodeURIComponent(location.origin)}`;
        console.error(`Webchat: ${location.origin} may not show "${bot}", see ${check}`);
        return false;
      }
      build();
      watcher.observe(document.documentElement, { childList: true, subtree: !!target });
      return true;
    });

  const call = (act) => void act(window.Webchat);
  window.webchatCalls?.forEach(call); // calls made before this script had loaded
  window.webchatCalls = { push: call };
})();
