/** A new key: shown once, with a command that runs here, and its answer. */
import { copyText } from "../clipboard.js";
import { byId, make } from "./elements.js";
import { onClick, showMessage } from "./problems.js";

/** @import { CreatedKeyAnswer } from "../../services/accounts/account_schema.ts" */
/** @import { Owner } from "./keys.js" */

const MESSAGE = "keys-message";

/** The address that a test key scores: the published example of the tier rising. */
export const TEST_ADDRESS = "0x7e57000000000000000000000000000000000003";

/**
 * Shows a new key.
 * @param {Owner} owner
 * @param {CreatedKeyAnswer} created
 */
export function showKey(owner, { name, key, kind }) {
  const done = make("button", {
    type: "button",
    textContent: "I have stored the key",
  });
  done.addEventListener("click", () => {
    hideKey();
    showMessage(MESSAGE, "");
    byId("keys-title").focus();
  });
  const secret = make("pre", { tabIndex: 0, id: "key", textContent: key });
  secret.ariaLabel = "The key";
  const path = `/api/v1/score/${kind === "test" ? TEST_ADDRESS : owner.wallet}`;
  const panel = byId("new-key");
  panel.replaceChildren(
    make("p", {}, [
      make("strong", { textContent: `Key “${name}” created. ` }),
      "Store it now. It is shown only once, and we keep no copy.",
    ]),
    make("div", { className: "code-block wraps" }, [
      secret,
      copyButton("Copy", key, "Key copied."),
    ]),
    make("div", {}, [done]),
    ...tryIt(owner, {
      key,
      path,
      cost: kind === "test" ? "free of charge" : "costs 1 unit",
    }),
  );
  panel.hidden = false;
  panel.focus();
}

/** Removes the key from the page. */
export function hideKey() {
  const panel = byId("new-key");
  panel.hidden = true;
  panel.replaceChildren();
}

/**
 * Creates the first request as a command, a button that sends it, and a place for the answer.
 * @param {Owner} owner
 * @param {{ key: string, path: string, cost: string }} request
 */
function tryIt(owner, { key, path, cost }) {
  const command = `curl -H 'X-Api-Key: ${key}' \\\n  ${location.origin}${path}`;
  const code = make("pre", { tabIndex: 0, textContent: command });
  code.ariaLabel = "The first request";
  const answer = make("pre", {
    tabIndex: 0,
    className: "first-answer",
    textContent: "Run the command to see its answer here.",
  });
  answer.ariaLabel = "The answer";
  const state = make("p", {
    className: "small muted",
    textContent: "The answer:",
  });
  state.role = "status";
  const run = make("button", {
    type: "button",
    className: "button-primary",
    textContent: `Run it (${cost})`,
  });
  onClick(run, MESSAGE, async () => {
    state.textContent = "Waiting for the answer…";
    const { status, text, ms } = await ask(path, key);
    answer.textContent = text;
    state.textContent = `Status ${status} after ${ms} ms. ` +
      "The call is in the log below.";
    await owner.refresh();
  });
  return [
    make("h3", { textContent: "Your first answer" }),
    make("div", { className: "first-request" }, [
      make("div", { className: "stack stack-small" }, [
        make("div", { className: "code-block wraps" }, [
          code,
          copyButton("Copy command", command, "Command copied."),
        ]),
        make("div", {}, [run]),
      ]),
      make("div", { className: "stack stack-small" }, [state, answer]),
    ]),
  ];
}

/**
 * Sends the request; a failure of the network is an answer too.
 * @param {string} path
 * @param {string} key
 */
async function ask(path, key) {
  const startedAt = performance.now();
  const headers = { "X-Api-Key": key };
  try {
    const response = await fetch(path, { headers });
    const text = JSON.stringify(await response.json(), null, 2);
    const ms = Math.round(performance.now() - startedAt);
    return { status: String(response.status), text, ms };
  } catch {
    const text = "Firn is unreachable. Check your connection and try again.";
    return { status: "none", text, ms: 0 };
  }
}

/**
 * Makes a button that copies a text, and says so.
 * @param {string} label
 * @param {string} text
 * @param {string} done
 * @param {string} [message] id of the live region
 */
export function copyButton(label, text, done, message = MESSAGE) {
  const copy = make("button", {
    type: "button",
    className: "copy",
    textContent: label,
  });
  copy.addEventListener("click", async () => {
    const isDone = await copyText(text);
    showMessage(
      message,
      isDone ? done : "Copying failed. Select the text and copy it yourself.",
      isDone ? "good" : "bad",
    );
  });
  return copy;
}
