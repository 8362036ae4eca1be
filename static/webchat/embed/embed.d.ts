// The widget as your page sees it (docs/embed.md). Save this file beside your code; it declares window.Webchat.

/** A signed identity (a JWT of your server), or a function that fetches one. */
type WebchatIdentity = string | (() => string | Promise<string>);

interface WebchatEvents {
  /** The chat has loaded, after it was first opened. */
  ready: undefined;
  open: undefined;
  close: undefined;
  /** The visitor has sent a message. Its text only if the bot's owner has switched that on. */
  message: { text: string } | undefined;
  /** The bot or a person has replied. Its text only if the bot's owner has switched that on. */
  reply: { text: string } | undefined;
  /** How many replies the closed chat holds that nobody has seen. */
  unread: { count: number };
  /** Such as BOT_DISABLED, or IDENTITY_REFUSED. */
  error: { code: string };
}

interface Webchat {
  open(): void;
  close(): void;
  toggle(): void;
  /** Opens the chat and sends a message in the visitor's name. */
  send(text: string): void;
  /** Shows a line beside the button, unless the chat is open. */
  show(text: string): void;
  /** Says who the visitor is; without an identity, nobody. Unsigned ones are refused. */
  identify(identity?: WebchatIdentity): void;
  /** The visitor has agreed: for script lines with data-consent, which keep nothing and follow no rules before. */
  consent(): void;
  newConversation(): void;
  on<Name extends keyof WebchatEvents>(event: Name, handler: (detail: WebchatEvents[Name]) => void): void;
  /** Takes the widget off the page. */
  destroy(): void;
}

interface Window {
  /** There as soon as the script has loaded. */
  Webchat?: Webchat;
  /** Calls that wait for the script: (window.webchatCalls ??= []).push((webchat) => webchat.open()) */
  webchatCalls?: Pick<((webchat: Webchat) => void)[], "push">;
  /** Set before the script loads. */
  webchatIdentity?: WebchatIdentity;
}
