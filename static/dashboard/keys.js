/** API keys: create, list, replace and revoke. */
import { call } from "./api.js";
import { askToConfirm, confirm } from "./dialogs.js";
import { byId, make, timeOf } from "./elements.js";
import { hideKey, showKey } from "./new_key.js";
import { onClick, onSubmit, showMessage } from "./problems.js";
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
  onSubmit(form, MESSAGE, () => createKey(owner, form));
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
    onClick(made, MESSAGE, work);
    return made;
  };
  return make("li", { className: "key cluster spread" }, [
    make("div", { className: "grow" }, [
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

/** @import { KeyLimitsAnswer, KeyLimitsBody, Scope } from "../../services/accounts/key_limits_schema.ts" */

/** @type {Readonly<Record<Scope, string>>} */
const SCOPES = {
  score: "Single scores",
  batch: "Batches",
  history: "Histories",
  signed: "Signed scores",
  usage: "Usage",
};
const SCOPE_NAMES = /** @type {Scope[]} */ (Object.keys(SCOPES));

const NUMBER = new Intl.NumberFormat("en");

/**
 * Creates the fields for limits. Their ids start with a prefix, so that a page can
 * have two sets.
 * @param {string} prefix
 * @param {KeyLimitsAnswer | null} limits the present ones; null for a new key
 */
function limitFields(prefix, limits) {
  const id = (/** @type {string} */ name) => `${prefix}-${name}`;
  /** @param {string} name @param {string} label @param {string} hint @param {HTMLElement} input */
  const field = (name, label, hint, input) => {
    Object.assign(input, { id: id(name), name });
    input.setAttribute("aria-describedby", id(`${name}-hint`));
    return make("div", { className: "field" }, [
      make("label", { htmlFor: id(name), textContent: label }),
      input,
      make("span", {
        id: id(`${name}-hint`),
        className: "field-hint",
        textContent: hint,
      }),
    ]);
  };
  const scopes = SCOPE_NAMES.map((scope) =>
    make("label", { className: "check" }, [
      make("input", {
        type: "checkbox",
        name: "scopes",
        value: scope,
        defaultChecked: limits?.scopes?.includes(scope) ?? true,
      }),
      SCOPES[scope],
    ])
  );
  return [
    make("fieldset", {}, [
      make("legend", { className: "label", textContent: "May be used for" }),
      make("div", { className: "cluster" }, scopes),
    ]),
    field(
      "networks",
      "May be used from",
      "Networks such as 203.0.113.0/24 or single addresses, one per line. Empty: from anywhere.",
      make("textarea", {
        rows: 2,
        spellcheck: false,
        defaultValue: limits?.networks?.join("\n") ?? "",
      }),
    ),
    field(
      "expiresAt",
      "Stops working at (UTC)",
      "Empty: never.",
      make("input", {
        type: "datetime-local",
        defaultValue: toMinute(limits?.expiresAt ?? ""),
      }),
    ),
    field(
      "maxUnits",
      "Maximum units in 30 days",
      "Empty: all that the plan includes. Units become available again 30 days after the end of their day.",
      make("input", {
        type: "number",
        min: "1",
        step: "1",
        defaultValue: limits?.maxUnits?.toString() ?? "",
      }),
    ),
    field(
      "note",
      "Note",
      "For you alone.",
      make("input", {
        maxLength: 200,
        autocomplete: "off",
        defaultValue: limits?.note ?? "",
      }),
    ),
  ];
}

/**
 * Reads the limits from a form with `limitFields`.
 * @param {HTMLFormElement} form
 * @param {KeyLimitsAnswer | null} present as given to `limitFields`
 * @returns {KeyLimitsBody}
 */
function readLimits(form, present) {
  const fields = new FormData(form);
  const text = (/** @type {string} */ name) =>
    String(fields.get(name) ?? "").trim();
  const scopes = /** @type {Scope[]} */ (fields.getAll("scopes"));
  const networks = text("networks").split(/[\s,]+/).filter(Boolean);
  const [at, units] = [text("expiresAt"), text("maxUnits")];
  const end = present?.expiresAt ?? "";
  return {
    scopes: scopes.length === SCOPE_NAMES.length ? null : scopes,
    networks: networks.length === 0 ? null : networks,
    // The field has no seconds, so an end that was not changed keeps its own.
    expiresAt: at === ""
      ? null
      : at === toMinute(end)
      ? end
      : new Date(`${at}Z`).toISOString(),
    maxUnits: units === "" ? null : Number(units),
    note: text("note") || null,
  };
}

/** Cuts an ISO 8601 instant to its minute, as the field shows it. @param {string} instant */
function toMinute(instant) {
  return instant.slice(0, 16);
}

/**
 * Describes the units and the limits of a key.
 * @param {KeySummary} key
 * @returns {(Node | string)[]}
 */
function describeLimits({ kind, limits, used }) {
  const { scopes, networks, expiresAt, maxUnits, note } = limits;
  const units = maxUnits === null
    ? `${NUMBER.format(used)} ${used === 1 ? "unit" : "units"} in 30 days`
    : `${NUMBER.format(used)} of ${NUMBER.format(maxUnits)} units in 30 days`;
  const parts = [
    kind === "test" ? null : [units],
    scopes && [`only ${scopes.map((scope) => SCOPES[scope]).join(", ")}`],
    networks && [`only from ${networks.join(", ")}`],
    expiresAt && ["until ", timeOf(expiresAt)],
    note && [`“${note}”`],
  ].filter((part) => part !== null);
  return parts.flatMap((part, nth) => nth === 0 ? part : ["; ", ...part]);
}
