/** The demo wallet in a page: an EIP-6963 provider. It confirms in a dialog; the server signs. */

/** @typedef {{ address: string, label: string, usdc: string }} Account */
/** @typedef {{ title: string, text: string }} Description */

const RPC = "/demo/rpc";
const NAME = "Firn demo wallet (simulated)";
const CONNECTED = "firn-demo-wallet";
const ICON = `data:image/svg+xml,${
  encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#8a4b00"/>
<path d="M16 6v20M7.3 11l17.4 10M24.7 11 7.3 21" stroke="#fff" stroke-width="2.6"
stroke-linecap="round"/></svg>`,
  )
}`;

const STYLE = `
:host { all: initial; }
dialog { box-sizing: border-box; width: min(30rem, calc(100vw - 2rem)); padding: 0;
  border: 3px dashed #8a4b00; border-radius: 12px; color-scheme: only light; color: #1c1610; background: #fffaf2;
  font: 1rem/1.5 system-ui, sans-serif; }
dialog::backdrop { background: rgb(0 0 0 / 55%); }
form { display: grid; gap: 1rem; padding: 1.25rem; }
h2, p { margin: 0; }
h2 { font-size: 1.25rem; line-height: 1.25; }
.mark { padding: .5rem 1.25rem; font-weight: 600; color: #fff; background: #8a4b00; }
pre { box-sizing: border-box; max-height: 40vh; margin: 0; padding: .75rem;
  overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  font: .875rem/1.5 ui-monospace, monospace; background: #fff; border: 1px solid #cdbda6;
  border-radius: 6px; }
pre:focus-visible, input:focus-visible, button:focus-visible {
  outline: 3px solid #1d5fd1; outline-offset: 2px; }
fieldset { display: grid; gap: .5rem; margin: 0; padding: 0; border: 0; }
label { display: grid; grid-template-columns: auto 1fr; gap: .25rem .75rem;
  align-items: center; padding: .6rem .75rem; background: #fff;
  border: 1px solid #cdbda6; border-radius: 6px; }
label small { grid-column: 2; overflow-wrap: anywhere; color: #5b4d3c; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; justify-content: end; }
button { min-height: 2.75rem; padding: 0 1.1rem; font: inherit; font-weight: 600;
  color: #6b3a00; background: #fff; border: 1px solid #8a4b00; border-radius: 6px;
  cursor: pointer; }
button[value="yes"] { color: #fff; background: #8a4b00; }
`;

/**
 * Creates an error as EIP-1193 defines it.
 * @param {number} code
 * @param {string} message
 */
function refusal(code, message) {
  return Object.assign(new Error(message), { code });
}

/** @type {Map<string, Set<(value: unknown) => void>>} */
const listeners = new Map();

const provider = Object.freeze({
  request,
  /** @param {string} event @param {(value: unknown) => void} listener */
  on(event, listener) {
    listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
  },
  /** @param {string} event @param {(value: unknown) => void} listener */
  removeListener(event, listener) {
    listeners.get(event)?.delete(listener);
  },
});

const ASKS_FIRST = [
  "personal_sign",
  "eth_signTypedData_v4",
  "eth_sendTransaction",
];

let isAsking = false;

/**
 * Handles a request (EIP-1193).
 * @param {{ method: string, params?: unknown }} wanted
 * @returns {Promise<unknown>}
 */
async function request({ method, params = [] }) {
  if (method === "eth_accounts") return connected();
  if (method === "eth_requestAccounts") {
    return connected().length > 0 ? connected() : await alone(connect);
  }
  if (ASKS_FIRST.includes(method)) {
    return await alone(() => confirm(method, params));
  }
  return await call(method, params);
}

/** @returns {string[]} */
function connected() {
  const address = sessionStorage.getItem(CONNECTED);
  return address === null ? [] : [address];
}

async function connect() {
  const accounts = /** @type {Account[]} */ (await call("demo_listAccounts"));
  const form = await ask("Connect an account", "Connect", choiceOf(accounts));
  const address = String(new FormData(form).get("account"));
  sessionStorage.setItem(CONNECTED, address);
  listeners.get("accountsChanged")?.forEach((listener) => listener([address]));
  return [address];
}

/** @param {string} method @param {unknown} params */
async function confirm(method, params) {
  const { title, text } = /** @type {Description} */ (
    await call("demo_describe", [method, params])
  );
  const words = make("pre", { tabIndex: 0, textContent: text });
  words.setAttribute("aria-label", "Request to confirm");
  const isPayment = method === "eth_sendTransaction";
  await ask(title, isPayment ? "Send" : "Sign", words);
  return await call(method, params);
}

/**
 * Runs one dialog at a time, as wallets do. A second request is refused.
 * @param {() => Promise<unknown>} what
 */
async function alone(what) {
  if (isAsking) throw refusal(-32002, "Another request is pending");
  isAsking = true;
  try {
    return await what();
  } finally {
    isAsking = false;
  }
}

/**
 * Shows a dialog and returns its form. Throws 4001 unless the user confirms.
 * @param {string} title
 * @param {string} yes
 * @param {Element} content
 * @returns {Promise<HTMLFormElement>}
 */
async function ask(title, yes, content) {
  const host = make("div", {});
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];

  const form = make("form", { method: "dialog" });
  const buttons = make("div", { className: "buttons" });
  buttons.append(
    make("button", { value: "no", textContent: "Reject" }),
    make("button", { value: "yes", textContent: yes }),
  );
  const heading = make("h2", { id: "title", textContent: title });
  form.append(heading, content, buttons);
  const dialog = make("dialog", {});
  dialog.setAttribute("aria-labelledby", "title");
  dialog.append(
    make("p", {
      className: "mark",
      textContent: "Demo wallet: simulated, no real money",
    }),
    form,
  );
  root.append(dialog);
  document.body.append(host);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve));
  host.remove();
  if (dialog.returnValue === "yes") return form;
  throw refusal(4001, "The request was rejected");
}

/** @param {Account[]} accounts */
function choiceOf(accounts) {
  const choice = make("fieldset", {});
  choice.setAttribute("aria-label", "Account");
  choice.append(...accounts.map(({ address, label, usdc }, index) => {
    const row = make("label", {});
    row.append(
      make("input", {
        type: "radio",
        name: "account",
        value: address,
        checked: index === 0,
      }),
      label,
      make("small", {
        textContent: `${address}, ${
          Number(usdc).toLocaleString("en", { maximumFractionDigits: 6 })
        } simulated USDC`,
      }),
    );
    return row;
  }));
  return choice;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function make(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}

/** @param {string} method @param {unknown} [params] */
async function call(method, params = []) {
  const response = await fetch(RPC, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw refusal(error.code, error.message);
  return result;
}

function announce() {
  const info = Object.freeze({
    uuid: "f1420000-de30-4000-8000-0000000000de",
    name: NAME,
    icon: ICON,
    rdns: "demo.firn",
  });
  const detail = Object.freeze({ info, provider });
  dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
}

addEventListener("eip6963:requestProvider", announce);
announce();
