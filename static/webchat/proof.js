// While a bot asks for a proof of work: a worker solves the composer's challenge from the first key on, and a message that
// is sent before waits for it, with everything as it is while a message is on its way.

const isSending = ({ requestConfig }) => requestConfig.path.endsWith("/messages");
let asked; // the challenge that `proof` is for, as JSON
let proof;

async function solve(parameters, address) {
  const worker = new Worker(address);
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = reject;
      worker.postMessage(parameters);
    });
  } finally {
    worker.terminate();
  }
}

/** Of the composer's challenge: a promise, the same one each time. "" where no worker can be had: the server says so. */
function prove() {
  const field = document.getElementById("composer-proof"); // gone when the bot no longer asks for it
  if (!field || field.dataset.challenge === asked) return proof;
  asked = field.dataset.challenge;
  const challenge = JSON.parse(asked);
  proof = solve(challenge.parameters, field.dataset.solver).then(
    (solution) => btoa(JSON.stringify({ challenge, solution })),
    () => "",
  );
  return proof;
}

document.addEventListener("input", ({ target }) => target.id === "message" && prove());

document.addEventListener("htmx:beforeSend", ({ detail }) => {
  if (!isSending(detail)) return;
  const { xhr } = detail;
  const send = xhr.send.bind(xhr);
  xhr.send = async (body) => {
    const fields = new URLSearchParams(body);
    fields.set("proof", await prove());
    send(fields);
  };
});

// A challenge that had run out, as on a page that was left open: with the fresh one the message goes out by itself, once.
let isSecondTry = false;
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!isSending(detail)) return;
  isSecondTry = !isSecondTry && document.querySelector("#composer-refusal [data-code^=PROOF]") !== null;
  if (!isSecondTry) return;
  const box = document.getElementById("message");
  const pressed = detail.requestConfig.triggeringEvent?.submitter;
  // A suggested question that was pressed stands in the box now, unless there is a draft in it.
  box.form.requestSubmit(pressed?.isConnected && pressed.value !== box.value ? pressed : null);
});
