// Asks the browser for a notification, and tells the site where to send it.
const form = () => document.getElementById("notify"); // looked up each time: updates replace it

/**
 * Throws if the visitor or the browser refuses.
 * @param {string} worker its URL
 * @param {Promise<string>} permission
 */
export async function subscribe(worker, permission) {
  if ((await permission) !== "granted") throw new Error("not granted");
  const { pushManager } = await activated(await navigator.serviceWorker.register(worker));
  const { endpoint, keys } = (await subscribed(pushManager, form().dataset.key)).toJSON();
  const fields = { url: endpoint, public_key: keys.p256dh, auth_secret: keys.auth };
  for (const [name, value] of Object.entries(fields)) form().elements[name].value = value;
  form().requestSubmit();
}

function activated(registration) {
  if (registration.active) return registration;
  const worker = registration.installing ?? registration.waiting;
  return new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve(registration);
      if (worker.state === "redundant") reject(new Error("not installed"));
    });
  });
}

async function subscribed(pushManager, applicationServerKey) {
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    if (error.name !== "InvalidStateError") throw error;
    await (await pushManager.getSubscription()).unsubscribe(); // made with an earlier key of the site
    return pushManager.subscribe(options);
  }
}
