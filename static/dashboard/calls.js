/** The last calls with the keys of a wallet, and the units of each key by day. */
import { byId, dayOf, fillTable, make, timeOf } from "./elements.js";

/** @import { AccountAnswer } from "../../services/accounts/account_schema.ts" */
/** @import { CallsAnswer } from "../../services/accounts/account_schema.ts" */

/** Calls on the dashboard. The page of calls has all. */
const MOST = 5;

/**
 * Shows the newest calls.
 * @param {CallsAnswer} answer
 */
export function showCalls({ calls }) {
  byId("no-calls").hidden = calls.length > 0;
  byId("calls-scroll").hidden = calls.length === 0;
  fillTable(
    byId("calls", HTMLTableElement),
    ["When", "Status", "Endpoint", "Units", "Key", "Request id"],
    calls.slice(0, MOST).map((
      { at, endpoint, status, units, keyName, requestId },
    ) => [
      timeOf(at),
      make("span", {
        className: `badge ${status < 400 ? "badge-good" : "badge-warn"}`,
        textContent: String(status),
      }),
      make("code", { className: "nowrap", textContent: endpoint }),
      String(units),
      keyName ?? "revoked key",
      make("code", { className: "hash", textContent: requestId }),
    ]),
  );
}

/**
 * Shows the units of each key by day, newest day first.
 * @param {AccountAnswer["keys"]} keys
 */
export function showKeyDays(keys) {
  const used = keys.filter(({ days }) => days.length > 0);
  byId("key-days").hidden = used.length === 0;
  const dates = new Set(
    used.flatMap(({ days }) => days.map(({ date }) => date)),
  );
  fillTable(
    byId("key-days-table", HTMLTableElement),
    ["Day", ...used.map(({ name, prefix }) => `${name} (${prefix}…)`)],
    [...dates].sort().reverse().map((date) => [
      date,
      ...used.map(({ days }) =>
        String(days.find((day) => day.date === date)?.units ?? 0)
      ),
    ]),
  );
}

/**
 * Shows the notices to the owner.
 * @param {AccountAnswer["usage"]["notices"]} notices
 */
export function showNotices(notices) {
  byId("notices").replaceChildren(
    ...notices.map(({ code, message }) =>
      make("p", {
        className: `notice notice-${code === "QUOTA_USED_UP" ? "bad" : "warn"}`,
      }, withDays(message))
    ),
  );
}

/** Writes the ISO 8601 days of a message in words. @param {string} message */
function withDays(message) {
  return message.split(/\b(\d{4}-\d{2}-\d{2})\b/).map((part, at) =>
    at % 2 === 1 ? dayOf(part) : part
  );
}
