/** Donations: sent by the wallet of this browser and recorded, or recorded by their transaction. */
import { call } from "../dashboard/api.js";
import { settings } from "../dashboard/settings.js";
import { byId, formatUsdc, showUsdc } from "../dashboard/elements.js";
import { ensureNetwork } from "../dashboard/network.js";
import { TRANSIENT_CODES } from "../dashboard/payment_outcomes.js";
import {
  isProblem,
  onSubmit,
  problem,
  reportProblem,
  showMessage,
} from "../dashboard/problems.js";
import { requestWallet, walletOf } from "../dashboard/wallets.js";

/** @import { DonationAnswer, OwnProfile } from "../../services/profiles/profiles_schema.ts" */
/** @import { PendingAnswer } from "../../services/payments/payments_schema.ts" */
/** @import { Steps } from "./own_profile.js" */
/** @typedef {{ to: string, txHash: string, sentAt: number, isTyped?: boolean }} Sent */

const MESSAGE = "donation-message";

/** Session storage key of the donations that were sent and are not recorded yet. */
const SENT = "firn-donations";

/** Time between two attempts to record a donation. */
const POLL_MS = 3_500;

/** After this time, a transaction that is in no block was probably dropped or replaced. */
const PATIENCE_MS = 10 * 60_000;

/** The selector of `transfer(address,uint256)` (ERC-20). */
const TRANSFER = "0xa9059cbb";

/** @param {Steps} steps */
export function openDonations(steps) {
  const { wallet } = steps;
  const wanted = new URLSearchParams(location.search).get("donate");
  if (wanted !== null) byId("donation-to", HTMLInputElement).value = wanted;
  const form = byId("donation-form", HTMLFormElement);
  onSubmit(form, MESSAGE, async () => {
    const { to: name, usdc } = Object.fromEntries(new FormData(form));
    const amount = readAmount(String(usdc), form);
    const to = await findReceiver(String(name), "Nothing was sent.");
    if (to === wallet) {
      throw problem("This is your own profile. Choose another one.");
    }
    await requireProfile();
    const txHash = await send({ from: wallet, to, amount });
    form.reset();
    await record(steps, { to, txHash, sentAt: Date.now() });
  });
  const recording = byId("record-form", HTMLFormElement);
  onSubmit(recording, MESSAGE, async () => {
    const { to: name, txHash } = Object.fromEntries(new FormData(recording));
    const to = await findReceiver(String(name), "Nothing was recorded.");
    await record(steps, {
      to,
      txHash: String(txHash).toLowerCase(),
      sentAt: Date.now(),
      isTyped: true,
    });
    recording.reset();
  });
  for (const sent of listSent()) {
    if (sent.wallet !== wallet) continue;
    reportProblem(MESSAGE, () => record(steps, sent));
  }
}

/**
 * Returns an amount in base units. Throws for one that is too small to count.
 * @param {string} usdc
 * @param {HTMLFormElement} form
 */
function readAmount(usdc, { dataset: { least = "" } }) {
  const [whole = "", decimals = ""] = usdc.split(".");
  const amount = BigInt(whole + decimals.padEnd(6, "0"));
  if (amount >= BigInt(least)) return amount;
  throw problem(
    `A donation of ${usdc} USDC would not count. Give ${
      showUsdc(formatUsdc(least))
    } or more. Nothing was sent.`,
  );
}

/** Throws if the owner has not claimed the profile: a donation would not count. */
async function requireProfile() {
  /** @type {OwnProfile} */
  const { claimedAt } = await call("GET", "/profile");
  if (claimedAt !== null) return;
  throw problem(
    "A donation counts only if you have a profile. Claim yours above, then give. Nothing was sent.",
  );
}

/** @returns {(Sent & { wallet: string })[]} */
function listSent() {
  return JSON.parse(sessionStorage.getItem(SENT) ?? "[]");
}

/** @param {string} txHash */
function listOthers(txHash) {
  return listSent().filter((sent) => sent.txHash !== txHash);
}

/** @param {readonly Sent[]} sent */
function keep(sent) {
  sessionStorage.setItem(SENT, JSON.stringify(sent));
}

/**
 * Returns the address of a profile. Asked before anything is sent, because a
 * donation to an unclaimed address would not count.
 * @param {string} text a name, an address, or a name that ends in .avax
 * @param {string} end what a problem means for the donation
 * @returns {Promise<string>}
 */
async function findReceiver(text, end) {
  const given = text.trim().toLowerCase();
  const name = given.endsWith(".avax") ? await followName(given, end) : given;
  const response = await fetch(`/api/profiles/${encodeURIComponent(name)}`)
    .catch(() => null);
  if (response?.ok) return (await response.json()).address;
  throw problem(
    response?.status === 404
      ? `Nobody has claimed “${text.trim()}”. A donation counts only to a claimed profile. ${end}`
      : `Firn cannot look the profile up now. ${end} Please try again.`,
  );
}

/**
 * Returns the profile that a name of the C-Chain leads to: its page alone takes such
 * names, and says where it stands.
 * @param {string} name
 * @param {string} end
 */
async function followName(name, end) {
  const response = await fetch(`/profiles/${encodeURIComponent(name)}`)
    .catch(() => null);
  const page = new DOMParser().parseFromString(
    response?.ok ? await response.text() : "",
    "text/html",
  );
  const href = page.querySelector("link[rel=canonical]")?.getAttribute("href");
  const found = href?.split("/").at(-1);
  if (found !== undefined) return found;
  throw problem(
    response?.status === 400 || response?.status === 404
      ? `“${name}” leads to no address. ${end}`
      : `Firn cannot look the name up now. ${end} Please try again.`,
  );
}

/**
 * Sends USDC, and returns the hash of the transaction.
 * @param {{ from: string, to: string, amount: bigint }} donation
 * @returns {Promise<string>}
 */
async function send({ from, to, amount }) {
  const wallet = await walletOf(from);
  await ensureNetwork(wallet, settings);
  const shown = showUsdc(formatUsdc(String(amount)));
  showMessage(
    MESSAGE,
    `Confirm the transfer of ${shown} to ${to} in ${wallet.name}.`,
  );
  const data = TRANSFER + to.slice(2).padStart(64, "0") +
    amount.toString(16).padStart(64, "0");
  const { token } = byId("donation-form").dataset;
  return await requestWallet(wallet, "eth_sendTransaction", [
    { from, to: token, data, value: "0x0" },
  ]);
}

/** Records a donation once it is final. @param {Steps} steps @param {Sent} sent */
async function record({ wallet, refresh }, sent) {
  keep([...listOthers(sent.txHash), { wallet, ...sent }]);
  for (;;) {
    const answer = await tryToRecord(sent);
    if (answer?.status === "recorded" || answer?.status === "used") {
      keep(listOthers(sent.txHash));
      const change = await refresh();
      const amount = answer.status === "used"
        ? ""
        : `: ${showUsdc(answer.usdc)}, of which ${
          showUsdc(answer.countedUsdc)
        } count`;
      showMessage(MESSAGE, `Recorded${amount}. ${change}`, "good");
      return;
    }
    const isInBlock = answer?.status === "pending" && answer.confirmations > 0;
    if (answer && !isInBlock && Date.now() - sent.sentAt > PATIENCE_MS) {
      giveUp(sent, answer);
    }
    const progress = answer?.status === "pending"
      ? `${answer.confirmations} of ${answer.required} confirmations`
      : "waiting for the network";
    showMessage(MESSAGE, `Sent: ${progress}. This takes a few seconds.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Throws a problem that says what to check. A transaction that waits is tried again when the page is loaded.
 * @param {Sent} sent
 * @param {{ status: "pending" | "unseen" }} answer
 * @returns {never}
 */
function giveUp({ txHash }, { status }) {
  if (status === "unseen") keep(listOthers(txHash));
  const state = status === "unseen"
    ? "The network does not know"
    : "The network has not confirmed";
  throw problem(
    `${state} the transaction ${txHash}, more than ten minutes after it was sent. ` +
      "Look at it in your wallet. If it was replaced, enter the hash of the new transaction " +
      "under “Already sent?”. If it was dropped or cancelled, nothing was given.",
  );
}

/**
 * Tries once to record a donation. Returns `unseen` for a transaction that no node
 * knows, `used` for one that an attempt with a lost answer recorded, and null if
 * another reason may go away.
 * @param {Sent} sent
 * @returns {Promise<DonationAnswer | PendingAnswer | { status: "unseen" } | { status: "used" } | null>}
 */
async function tryToRecord({ to, txHash, isTyped = false }) {
  try {
    return await call("POST", "/donations", { to, txHash });
  } catch (error) {
    const code = isProblem(error) ? error.code ?? "" : "";
    const isUsed = code === "TX_USED";
    const isUnseen = code === "TX_NOT_FOUND";
    // Waiting does not help if the hash is that of another donation, or mistyped.
    const isWrong = isTyped && (isUsed || isUnseen);
    if (!isWrong && TRANSIENT_CODES.includes(code)) {
      return isUsed
        ? { status: "used" }
        : isUnseen
        ? { status: "unseen" }
        : null;
    }
    if (code !== "SIGNED_OUT") keep(listOthers(txHash));
    throw error;
  }
}
