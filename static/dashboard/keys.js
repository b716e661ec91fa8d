/** API keys: create, list, replace and revoke. */
import { call } from "./api.js";
import { confirm } from "./confirm.js";
import { askToConfirm } from "./dialogs.js";
import { byId, make, timeOf } from "./elements.js";
import { describeLimits, limitFields, readLimits } from "./key_limits.js";
import { hideKey, showKey } from "./new_key.js";
import { attempt, showMessage } from "./problems.js";
import { walletOf } from "./wallets.js";

/** @import { AccountAnswer, ActionName, KeySummary } from "../../services/accounts/account_schema.ts" */
/** @typedef {{ wallet: string, refresh: () => Promise<void> }} Owner */

const MESSAGE = "keys-message";

/** Choices for how long a replaced key stays valid. */
const GRACES = [
  { seconds: 0, words: "Stop working immediately" },
  { seconds: 3_600, words: "Stop working in one hour" },
  { seconds: 86_400, words: "Stop working in one day" },
  { seconds: 604_800, words: "Stop working in seven days" },
];

/** Default: long enough to deploy the new key. */
const DEFAULT_GRACE = 86_400;

/**
 * Activates the section about keys.
 * @param {Owner} owner
 * @returns a function that shows the keys of an account
 */
export function openKeys(owner) {
  const form = byId("create-key", HTMLFormElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = /** @type {HTMLElement} */ (event.submitter ?? form);
    attempt(button, MESSAGE, () => createKey(owner, form));
  });
  const limits = byId("new-limits");
  limits.append(...limitFields("new", null));
  // The back-forward cache must not keep a key.
  addEventListener("pagehide", hideKey);

  return (/** @type {AccountAnswer} */ { keys, limits }) => {
    byId("no-keys").hidden = keys.length > 0;
    const lasting = keys.filter(({ expiresAt }) => expiresAt === null);
    const isFull = lasting.length >= limits.keys;
    byId("full-keys").hidden = !isFull;
    form.hidden = isFull;
    byId("keys").replaceChildren(
      ...keys.map((key) => describeKey(owner, limits, key)),
    );
  };
}

/** @param {Owner} owner @param {HTMLFormElement} form */
async function createKey(owner, form) {
  const fields = new FormData(form);
  const keyName = String(fields.get("keyName")).trim();
  const limits = readLimits(form, null);
  const wanted = { keyName, kind: fields.get("kind"), limits };
  const proof = await sign(owner, { action: "key.create", ...wanted });
  showKey(owner, await call("POST", "/keys", { ...proof, ...wanted }));
  form.reset();
  byId("key-limits", HTMLDetailsElement).open = false;
  await owner.refresh();
}

/** @param {Owner} owner @param {AccountAnswer["limits"]} limits @param {KeySummary} key */
async function rotateKey(owner, limits, { id, name, prefix }) {
  const graces = GRACES.filter(({ seconds }) => seconds <= limits.graceSeconds);
  const select = make(
    "select",
    { id: "grace", name: "grace" },
    graces.map(({ seconds, words }) =>
      make("option", {
        value: String(seconds),
        textContent: words,
        selected: seconds === DEFAULT_GRACE,
      })
    ),
  );
  const form = await askToConfirm({
    title: `Replace the key “${name}”?`,
    content: [
      whichKey(prefix),
      make("p", {
        textContent: "You get a new key with the same name and limits.",
      }),
      make("div", { className: "field" }, [
        make("label", { htmlFor: "grace", textContent: "The old key will" }),
        select,
      ]),
    ],
    yes: "Replace",
  });
  if (!form) return;
  const graceSeconds = Number(select.value);
  const proof = await sign(owner, {
    action: "key.rotate",
    keyId: id,
    graceSeconds,
  });
  showKey(
    owner,
    await call("POST", `/keys/${id}/rotate`, { ...proof, graceSeconds }),
  );
  await owner.refresh();
}

/** @param {Owner} owner @param {KeySummary} key */
async function limitKey(owner, { id, name, prefix, limits: present }) {
  const form = await askToConfirm({
    title: `Limits of the key “${name}”`,
    content: [
      whichKey(prefix),
      ...limitFields("limit", present),
      make("p", {
        className: "muted",
        textContent: "They apply from the next request on.",
      }),
    ],
    yes: "Change",
  });
  if (!form) return;
  const limits = readLimits(form, present);
  const proof = await sign(owner, { action: "key.limit", keyId: id, limits });
  await call("PUT", `/keys/${id}/limits`, { ...proof, limits });
  await owner.refresh();
  showMessage(MESSAGE, `Limits of the key “${name}” changed.`, "good");
  byId("keys-title").focus();
}

/** @param {Owner} owner @param {KeySummary} key */
async function revokeKey(owner, { id, name, prefix }) {
  const text = "The key stops working immediately. You cannot undo this.";
  const agreed = await askToConfirm({
    title: `Revoke the key “${name}”?`,
    content: [whichKey(prefix), make("p", { textContent: text })],
    yes: "Revoke",
    isDanger: true,
  });
  if (!agreed) return;
  const proof = await sign(owner, { action: "key.revoke", keyId: id });
  await call("DELETE", `/keys/${id}`, proof);
  await owner.refresh();
  showMessage(MESSAGE, `Key “${name}” revoked.`, "good");
  byId("keys-title").focus();
}

/** Tells a key from others of the same name. @param {string} prefix */
function whichKey(prefix) {
  return make("p", {}, [
    "It begins with ",
    make("code", { textContent: prefix }),
    ".",
  ]);
}

/**
 * @param {Owner} owner
 * @param {{ action: ActionName } & Readonly<Record<string, unknown>>} action
 */
async function sign({ wallet: address }, action) {
  const wallet = await walletOf(address);
  showMessage(
    MESSAGE,
    `Confirm in ${wallet.name}. It shows the message that you sign.`,
  );
  const proof = await confirm(wallet, address, action);
  showMessage(MESSAGE, "");
  return proof;
}

/** @param {Owner} owner @param {AccountAnswer["limits"]} limits @param {KeySummary} key */
function describeKey(owner, limits, key) {
  const { name, prefix, kind, createdAt, expiresAt, lastUsedAt } = key;
  /** @param {string} label @param {string} look @param {() => Promise<void>} work @param {string} [words] */
  const button = (label, look, work, words = `${label} the key`) => {
    const made = make("button", {
      type: "button",
      textContent: label,
      className: `button-small ${look}`,
      ariaLabel: `${words} ${name}, ${prefix}`,
    });
    made.addEventListener("click", () => attempt(made, MESSAGE, work));
    return made;
  };
  return make("li", { className: "key" }, [
    make("div", { className: "key-words" }, [
      make("p", { className: "cluster" }, [
        make("strong", { textContent: name, className: "break-anywhere" }),
        ...kind === "test"
          ? [make("span", { className: "badge", textContent: "Test" })]
          : [],
        ...expiresAt
          ? [make("span", { className: "badge badge-warn" }, ["Replaced"])]
          : [],
      ]),
      make("p", { className: "small muted" }, [
        make("code", { textContent: `${prefix}…` }),
        " created ",
        timeOf(createdAt),
        ...expiresAt ? ["; works until ", timeOf(expiresAt)] : [],
        ...lastUsedAt
          ? ["; last used ", timeOf(lastUsedAt)]
          : ["; not used in the last 30 days"],
      ]),
      make(
        "p",
        { className: "small muted break-anywhere" },
        describeLimits(key),
      ),
    ]),
    make("div", { className: "cluster" }, [
      button("Limits", "", () => limitKey(owner, key), "Limits of the key"),
      ...expiresAt
        ? []
        : [button("Replace", "", () => rotateKey(owner, limits, key))],
      button("Revoke", "button-danger", () => revokeKey(owner, key)),
    ]),
  ]);
}
