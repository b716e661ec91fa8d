/** The plans and the order form of the dashboard. */
import { html } from "hono/html";
import {
  MAX_PERIODS,
  PERIOD_DAYS,
  type ProductName,
  type ProductRule,
} from "../../services/payments/plans_schema.ts";
import type { Html } from "../pages/layout.ts";
import { unbroken } from "../pages/unbroken.ts";

/** A product as the page shows it. */
export interface Offer {
  /** Null for the free plan. */
  readonly product: ProductName | null;
  readonly kind: ProductRule["kind"];
  readonly label: string;
  /** In USDC, such as `49.00`. */
  readonly price: string;
  readonly includes: string;
}

/** Renders the plans and the other products, for signed-out visitors. */
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
        class="muted">Each plan includes the ones before it. You pay in USDC on the <span class="nowrap">C-Chain</span> for ${PERIOD_DAYS} days at a time. Plans
    do not renew automatically. When a plan ends, your keys continue on Free.</p>
      <ul class="offers">${offers.filter(({ kind }) => kind === "plan").map((
        offer,
      ) =>
        html`
          <li class="card stack stack-small">
            <h3>${offer.label}</h3>
            <p class="stat"><span class="stat-value">${offer.price}</span>
          <span class="stat-label">USDC ${termsOf(offer)}</span></p>
            <p>${unbroken(offer.includes)}</p>
          </li>
        `
      )}</ul>
      <p class="small muted">Also available: ${others.map((
        { label, price, ...offer },
      ) => `${label}, ${price} USDC ${termsOf(offer)}`).join("; ")}.</p>
    </section>
  `;
}

/** Renders the order form. The quote and the payment appear below it. */
export function buySection(offers: readonly Offer[]): Html {
  const sold = offers.filter(({ product }) => product !== null);
  return html`
    <section id="buy" class="card stack" aria-labelledby="buy-title">
      <h2 id="buy-title" tabindex="-1">Buy or extend</h2>
      <p
        class="muted">You pay once, in USDC on the <span class="nowrap">C-Chain</span>, from this wallet. When you upgrade,
    unused days of the lower plan reduce the price.</p>
      <form id="order" class="stack">
        <fieldset>
          <legend class="label">Product</legend>
          <div class="grid choices">${sold.map((offer, index) =>
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
<span class="choice-words">${unbroken(offer.includes)}</span></label>`
          )}</div>
        </fieldset>
        <div id="order-line" class="cluster cluster-end order-line">
          <div class="field"><label for="periods">Duration</label>
    <select id="periods" name="periods">${Array.from(
      { length: MAX_PERIODS },
      (_, index) =>
        html`<option value="${index + 1}">${
          (index + 1) * PERIOD_DAYS
        } days</option>`,
    )}</select></div>
          <button class="button-primary">Show the price</button>
        </div>
        <div id="name-hint" class="stack stack-small" hidden>
          <p>You choose and buy a name on your profile page.</p>
          <p><a class="button" href="/dashboard/profile#claim-title">Choose a name</a></p>
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
