/** `GET /dashboard/receipts/{id}`: the receipt of a payment, to print or to keep as a file. Only its wallet sees it. */
import { html } from "hono/html";
import {
  readReceipt,
  type Receipt,
} from "../../services/payments/entitlements.ts";
import { PERIOD_DAYS, PRODUCTS } from "../../services/payments/plans_schema.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import { C_CHAIN } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { findWallet } from "../accounts/session.ts";
import { OWN_PAGE, ownedPage, SIGN_IN } from "../accounts/wallet_page.ts";
import { newRouter } from "../http/router.ts";
import { dayWords, showUsdc } from "../pages/dates.ts";
import { type Html, type Page, simulatedWords } from "../pages/layout.ts";
import { answerPage } from "../pages/page.ts";

/** Where a transaction of the C-Chain can be looked up. Other chains and the demo have no link. */
const EXPLORER = "https://snowtrace.io/tx/";

/** Serves the receipts of a wallet to its owner; to others each is not found. */
export function receipts(deps: AccountsDeps) {
  return newRouter().get("/receipts/:id", async (c) => {
    const wallet = await findWallet(deps, c);
    if (wallet === null) return c.redirect(SIGN_IN, 302);
    const receipt = await readReceipt(deps, wallet, c.req.param("id"));
    if (receipt === null) return c.notFound();
    const page = receiptPage(receipt, { ...deps, wallet });
    return answerPage(c, page, { headers: OWN_PAGE });
  });
}

/** Renders a receipt. */
function receiptPage(
  receipt: Receipt,
  { wallet, publicUrl, chainId, payment }:
    & Pick<AccountsDeps, "chainId" | "payment" | "publicUrl">
    & { readonly wallet: string },
): Page {
  const { amountDisplay, creditedAt, transaction } = receipt;
  const chain = chainId === C_CHAIN
    ? html`Avalanche <span class="nowrap">C-Chain</span> (${chainId})`
    : `chain ${chainId}`;
  return ownedPage({
    title: "Receipt",
    lede:
      html`Paid to Firn at <span class="break-anywhere">${publicUrl}</span>`,
    wallet,
    section: "payments",
    modules: ["print.js"],
    content: html`
      <section class="card stack receipt" aria-labelledby="amount">
        <h2 id="amount">${showUsdc(Number(amountDisplay))}</h2>
        ${receipt.revokedAt === null ? "" : html`
          <p
            class="notice notice-bad">Revoked on ${time(
              receipt.revokedAt,
            )}: a reorganisation of the chain removed the block. This payment counts no more.</p>
        `}
        <dl class="facts">
          ${fact("For", purposeOf(receipt))}
          ${receipt.from === null ? "" : fact(
            "Period",
            html`${time(receipt.from)} to ${
              receipt.until === null ? "no end" : time(receipt.until)
            }`,
          )}
          ${fact("Paid by", html`<code>${wallet}</code>`)}
          ${transaction === null
            ? fact("Transaction", "none: paid with credit")
            : html`${
              fact(
                "Paid to",
                transaction.treasury === null
                  ? "see the transaction"
                  : html`<code>${transaction.treasury}</code>`,
              )
            }
            ${fact("Token", html`USDC, <code>${payment.token}</code>`)}
            ${fact("Chain", chain)}
            ${fact("Transaction", transactionOf(transaction.txHash, chainId))}
            ${fact("Block", String(transaction.blockNumber))}
            ${fact("Block time", time(transaction.paidAt))}`}
          ${fact("Credited", time(creditedAt))}
        </dl>
        <p class="cluster"><button type="button" id="print" hidden>Print or save as PDF</button></p>
      </section>
    `,
  });
}

function purposeOf({ product, periods }: Receipt): string {
  if (product === null) return "Credit towards the next purchase";
  const { label, kind } = PRODUCTS[product];
  if (kind === "slug") return label;
  return periods === 0
    ? `${label}, extended`
    : `${label}, ${periods * PERIOD_DAYS} days`;
}

function transactionOf(txHash: string, chainId: number): Html {
  return chainId === C_CHAIN && simulatedWords() === ""
    ? html`<a href="${EXPLORER}${txHash}" rel="noreferrer"><code>${txHash}</code></a>`
    : html`<code>${txHash}</code>`;
}

const fact = (term: string, value: Html | string): Html =>
  html`
    <dt>${term}</dt>
    <dd>${value}</dd>
  `;

/** Renders an instant to the second: a bookkeeper compares it with the block. */
const time = (iso: string): Html =>
  html`<time datetime="${iso}">${dayWords(iso)}, ${
    iso.slice(11, 19)
  } UTC</time>`;
