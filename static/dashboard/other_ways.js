/** Paying without this browser's wallet: by link, QR code, or transaction hash. */
import { byId, draw, make } from "./elements.js";
import { attempt } from "./problems.js";

/** Quiet zone of a QR code in modules (ISO/IEC 18004, 9.1). */
const QUIET = 4;

/**
 * Describes the other ways to pay.
 * @param {string} uri EIP-681
 * @param {(txHash: string) => Promise<void>} follow
 */
export async function describeOtherWays(uri, follow) {
  const form = make("form", { className: "cluster cluster-end hash-form" }, [
    make("div", { className: "field" }, [
      make("label", {
        htmlFor: "tx-hash",
        textContent: "Already paid? Enter the transaction hash",
      }),
      make("input", {
        id: "tx-hash",
        name: "txHash",
        required: true,
        pattern: "0x[0-9a-fA-F]{64}",
        placeholder: "0x…",
        title: "0x and 64 hexadecimal digits",
        autocomplete: "off",
        spellcheck: false,
      }),
    ]),
    make("button", { textContent: "Check it" }),
  ]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = /** @type {HTMLElement} */ (event.submitter ?? form);
    const txHash = byId("tx-hash", HTMLInputElement).value.toLowerCase();
    attempt(button, "order-message", () => follow(txHash));
  });
  return make("details", {}, [
    make("summary", { textContent: "Pay from a phone or another app" }),
    make("div", { className: "stack" }, [
      make("p", {
        textContent:
          "Pay from the same wallet address: only its payments count for this account. " +
          "We find your payment within a few minutes, even if you close this page.",
      }),
      make("div", { className: "cluster other-ways" }, [
        await drawCode(uri),
        make("p", {}, [
          make("a", { href: uri, className: "button" }, ["Open a wallet app"]),
        ]),
      ]),
      form,
    ]),
  ]);
}

/** @param {string} uri */
async function drawCode(uri) {
  // Loaded only when a quote is shown.
  const { encodeQR } = await import("../vendor/qr.js");
  const rows = encodeQR(uri, "raw", { border: QUIET });
  const dark = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => isDark ? [`M${x} ${y}h1v1h-1z`] : [])
  );
  return draw("svg", {
    class: "qr",
    viewBox: `0 0 ${rows.length} ${rows.length}`,
    role: "img",
    "aria-label": "The payment as a QR code",
    "shape-rendering": "crispEdges",
  }, [draw("path", { d: dark.join("") })]);
}
