/** The limits of a key: form fields, and words for the list of keys. */
import { make, timeOf } from "./elements.js";

/** @import { KeyLimitsAnswer, KeyLimitsBody, Scope } from "../../services/accounts/key_limits_schema.ts" */
/** @import { KeySummary } from "../../services/accounts/account_schema.ts" */

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
export function limitFields(prefix, limits) {
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
export function readLimits(form, present) {
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
export function describeLimits({ kind, limits, used }) {
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
