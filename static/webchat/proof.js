// For a bot that asks for proof of work: a worker starts solving the composer's challenge at the first key, and a message
// sent before it is done waits for it like any message on its way.

const isSending = ({ requestConfig }) => requestConfig.path.endsWith("/messages");
let asked; // the challenge that `proof` is for, as JSON
let proof;

async function solve(parameters, url) {
  const worker = new Worker(url);
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

/** Promise of the proof for the composer's challenge; "" where no worker can be started, which the server refuses. */
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

// An expired challenge, as on a page left open: with the fresh one the message is sent again by itself, once.
let isSecondTry = false;
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!isSending(detail)) return;
  isSecondTry = !isSecondTry && document.querySelector("#composer-refusal [data-code^=PROOF]") !== null;
  if (!isSecondTry) return;
  const box = document.getElementById("message");
  const { formData, triggeringEvent } = detail.requestConfig;
  // The text is back in the box, unless it was a suggested question; never send a newer draft.
  if (box.value === (formData.get("suggestion") || formData.get("message"))) box.form.requestSubmit();
  else if (triggeringEvent?.submitter?.isConnected) box.form.requestSubmit(triggeringEvent.submitter);
});
