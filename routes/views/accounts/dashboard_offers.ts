/** What the dashboard sells: the plans to read, and the form to buy from. */
import { html } from "hono/html";
import { PERIOD_DAYS } from "../../../services/payments/plans_schema.ts";
import {
  MOST_PERIODS,
  type ProductName,
  type ProductRule,
} from "../../../services/payments/products_schema.ts";
import type { Html } from "../layout.ts";

/** What a wallet can have, in words. */
export interface Offer {
  /** Null for what every wallet has. */
  readonly product: ProductName | null;
  readonly kind: ProductRule["kind"];
  readonly label: string;
  /** In USDC, such as `49.00`. */
  readonly price: string;
  readonly includes: string;
}

/** Writes the plans for whoever has not signed in, and names what else there is. */
export function plansSection(
  offers: readonly Offer[],
  { isHidden }: { readonly isHidden: boolean },
): Html {
  const others = offers.filter(({ kind }) => kind !== "plan");
  return html`
    <section id="plans" class="stack" aria-labelledby="plans-title" ${isHidden
      ? html`
        hidden
      `
      : ""}>
      <h2 id="plans-title">Plans</h2>
      <p
        class="muted">Each includes those before it. Paid in USDC on the C-Chain, for ${PERIOD_DAYS} days at a time. Nothing
    renews by itself, and when a plan ends your keys go on working on Free.</p>
      <ul class="offers">${offers.filter(({ kind }) => kind === "plan").map((
        offer,
      ) =>
        html`
          <li class="card stack stack-small">
            <h3>${offer.label}</h3>
            <p class="stat"><span class="stat-value">${offer.price}</span>
          <span class="stat-label">USDC ${termsOf(offer)}</span></p>
            <p>${offer.includes}</p>
          </li>
        `
      )}</ul>
      <p class="small muted">Beside the plans: ${others.map((
        { label, price, ...offer },
      ) => `${label}, ${price} USDC ${termsOf(offer)}`).join("; ")}.</p>
    </section>
  `;
}

/** Writes the form to buy from; quote and payment appear below it. */
export function buySection(offers: readonly Offer[]): Html {
  const sold = offers.filter(({ product }) => product !== null);
  return html`
    <section id="buy" class="card stack" aria-labelledby="buy-title">
      <h2 id="buy-title" tabindex="-1">Buy or extend</h2>
      <p
        class="muted">Paid once, in USDC on the C-Chain, from this wallet. A higher plan takes
    the unused days of the lower one off its price.</p>
      <form id="order" class="stack">
        <fieldset>
          <legend class="label">What to buy</legend>
          <div class="choices">${sold.map((offer, index) =>
            html`<label class="choice"><input type="radio" name="product"
value="${offer.product}"${
              offer.kind === "slug"
                ? html`
                  data-once
                `
                : ""
            }${
              index === 0
                ? html`
                  checked
                `
                : ""
            }>
<span class="choice-name">${offer.label}</span>
<span class="choice-price">${offer.price} USDC</span>
<span class="choice-words">${termsOf(offer)}</span>
<span class="choice-words">${offer.includes}</span></label>`
          )}</div>
        </fieldset>
        <div class="cluster cluster-end order-line">
          <div id="periods-field"
            class="field"><label for="periods">For how long</label>
    <select id="periods" name="periods">${Array.from(
      { length: MOST_PERIODS },
      (_, index) =>
        html`<option value="${index + 1}">${
          (index + 1) * PERIOD_DAYS
        } days</option>`,
    )}</select></div>
          <div id="slug-field" class="field"
            hidden><label for="slug">Profile name</label>
    <input id="slug" name="slug" maxlength="40" autocomplete="off" spellcheck="false" disabled required></div>
          <button class="button-primary">Show what it costs</button>
        </div>
      </form>
      <p id="order-message" class="message" role="status"></p>
      <div id="quote" class="quote stack" tabindex="-1" role="group"
        aria-labelledby="quote-title" hidden></div>
      <div id="payment" class="quote stack" tabindex="-1" role="group"
        aria-labelledby="payment-title" hidden></div>
    </section>
  `;
}

function termsOf({ kind }: Pick<Offer, "kind">): string {
  return kind === "slug" ? "once" : `for ${PERIOD_DAYS} days`;
}
