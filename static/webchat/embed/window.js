// The widget's open window, loaded when it is about to open: its corner for resizing, a phone's keyboard, second taps,
// its own button to close it.

const STEP = 32; // pixels, for an arrow key
const LARGE = [640, 1200]; // pixels, if the screen is large enough
// On a phone the chat opens below the finger: for half of the .8 s its frame takes no second tap, which would press *Send*.
const STYLE = `@starting-style{iframe{pointer-events:none}}
iframe{transition:pointer-events .8s allow-discrete!important}
.grip{position:absolute;inset-block-start:0;inline-size:1.5em;block-size:1.5em;padding:0;outline-offset:-3px;touch-action:none}
.grip::before{content:"";position:absolute;inset:.35em;opacity:0;border:solid light-dark(#8f8f8f,#777);border-width:1.5px 0 0 1.5px;border-radius:.65em 0 0}
dialog:hover .grip::before,.grip:focus-visible::before{opacity:1}
.grip:hover::before{border-color:currentcolor}
.left{left:0;cursor:nwse-resize}
.right{right:0;cursor:nesw-resize}
.right::before{transform:scaleX(-1)}
dialog:modal .grip,dialog::backdrop{display:none}
@media(pointer:coarse){.grip{display:none}}`;

/**
 * @param {HTMLDialogElement} sheet
 * @param {string} name of the corner
 * @param {(...sides: (number | string)[]) => void} resize
 * @param {() => boolean} isResized
 * @param {MediaQueryList} phone whether the chat lies over the button that else closes it
 * @param {(type: string, is: boolean) => void} post to the frame
 */
export function furnish(sheet, name, resize, isResized, phone, post) {
  phone.onchange = sheet.querySelector("iframe").onload = () => post("closable", phone.matches);
  if (sheet.querySelector(".grip")) return; // the frame was replaced
  const styles = new CSSStyleSheet();
  styles.replaceSync(STYLE);
  sheet.getRootNode().adoptedStyleSheets.push(styles);
  sheet.append(makeGrip(sheet, name, resize, isResized));
  followKeyboard(sheet);
  // Held down, Enter presses a button once: the launcher would open and close.
  sheet.getRootNode().addEventListener("keydown", (event) => event.repeat && event.key === "Enter" && event.preventDefault());
}

/** Resize by dragging or the arrow keys; a press makes it large, or small again. */
function makeGrip(sheet, name, resize, isResized) {
  const isLeft = sheet.style.getPropertyValue("--from") !== "0%";
  const steps = { ArrowUp: [0, STEP], ArrowDown: [0, -STEP], ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0] };
  const grip = document.createElement("button");
  let isDragged;
  Object.assign(grip, { type: "button", className: `grip ${isLeft ? "left" : "right"}`, ariaLabel: name, title: name });
  grip.onpointerdown = ({ pointerId }) => {
    isDragged = false;
    grip.setPointerCapture(pointerId);
  };
  grip.onpointermove = ({ pointerId, clientX, clientY }) => {
    if (!grip.hasPointerCapture(pointerId)) return;
    const box = sheet.getBoundingClientRect();
    isDragged = true;
    const sides = [isLeft ? box.right - clientX : clientX - box.left, box.bottom - clientY];
    resize(...sides.map((side) => Math.round(side / zoomOf(sheet))));
  };
  grip.onkeydown = (event) => {
    if (!steps[event.key]) return;
    const [wide, high] = steps[event.key];
    event.preventDefault();
    resize(sheet.offsetWidth + (isLeft ? wide : -wide), sheet.offsetHeight + high);
  };
  grip.onclick = () => isDragged || resize(...(isResized() ? ["", ""] : LARGE));
  return grip;
}

/** The keyboard covers the lower part of the window, for which CSS has no unit. */
function followKeyboard(sheet) {
  const seen = visualViewport;
  seen.onresize = seen.onscroll = () => {
    if (seen.scale > 1.01) return; // the visitor has zoomed in
    sheet.style.setProperty("--seen", `${seen.height / zoomOf(sheet)}px`);
    sheet.style.setProperty("--top", `${seen.offsetTop / zoomOf(sheet)}px`);
  };
}

/** How much the website enlarges itself, which changes what a pixel is: `html { zoom: 1.25 }`. */
const zoomOf = (sheet) => sheet.currentCSSZoom ?? 1;
