/** The page on which anybody verifies a signed score, in their own browser. */
import { html } from "hono/html";
import type {
  AttestationInfo,
  SignerState,
} from "../../../services/attestations/attestations_schema.ts";
import {
  TIER_IDS,
  TIERS,
} from "../../../services/scores/model/score_terms_schema.ts";
import type { Page } from "../layout.ts";

/** Where the page is. */
export const VERIFY_PATH = "/tools/verify-attestation";

/** Where signers are published, for programs. */
const WELL_KNOWN = "/.well-known/score-attestation.json";

/** How the state of a signer looks, and what it means. */
const STATES: Readonly<
  Record<SignerState, readonly [badge: string, meaning: string]>
> = {
  active: ["badge-good", "Signs now"],
  retiring: ["badge-warn", "Signs no more; what it has signed holds"],
  revoked: ["badge-bad", "Nothing that it has signed counts"],
};

/** Writes the page; it carries all that verifying needs, so that it asks nobody. */
export function verifyAttestationPage(
  { published, publicUrl }: {
    readonly published: AttestationInfo;
    readonly publicUrl: string;
  },
): Page {
  const tiers = TIER_IDS.map((tier) => ({ tier, label: TIERS[tier].label }));
  return {
    title: "Verify a signed score",
    description:
      "Checks in your own browser who has signed a wallet score, for which contract, and until when it holds.",
    nav: "score",
    url: `${publicUrl}${VERIFY_PATH}`,
    modules: ["verify_attestation.js", "copy.js"],
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <h1>Verify a signed score</h1>
          <p class="lede">Paste what <code>GET /api/v1/score/{address}/signed</code>
            has answered. Your browser checks the signature by itself, offline too:
            nothing that you paste leaves this page.</p>
        </header>
        <form
          id="verify"
          class="stack"
          data-published="${JSON.stringify(published)}"
          data-tiers="${JSON.stringify(tiers)}"
        >
          <div class="field">
            <label for="signed">Signed score, as JSON</label>
            <textarea
              id="signed"
              class="mono"
              rows="10"
              spellcheck="false"
              autocomplete="off"
              autocapitalize="off"
              required
            ></textarea>
          </div>
          <div class="cluster">
            <button class="button-primary">Verify</button>
            <button type="reset">Clear</button>
          </div>
          <noscript><p class="notice notice-warn">Verifying here needs JavaScript.
            The lines at the end of this page do the same in your own code.</p></noscript>
        </form>
        <section class="stack" aria-label="Result">
          <div id="verdict" role="status"></div>
          <div id="findings" class="grid" hidden></div>
        </section>
        <section class="stack">
          <h2>Who signs here</h2>
          ${signersOf(published)}
        </section>
        <section class="stack">
          <h2>In your own code</h2>
          <p
            class="prose">The same with <a href="https://viem.sh">viem</a>. Domain and
            types are those that the service publishes, never those of the score: a
            forger writes what they like there.</p>
          <div class="code-block">
            <pre
              tabindex="0"
              role="region"
              aria-label="Code"
            ><code id="snippet">${snippetFor(
              publicUrl,
            )}</code></pre>
            <button type="button" class="copy" hidden>Copy</button>
          </div>
        </section>
      </div>
    `,
  };
}

function signersOf({ enabled, domain, signers }: AttestationInfo) {
  return html`
    ${enabled ? "" : html`
      <p class="notice notice-warn">Nothing is signed on this deployment.</p>
    `} ${domain === null ? "" : html`
      <dl class="facts">
        <dt>Contract</dt>
        <dd class="mono">${domain.verifyingContract}</dd>
        <dt>Chain</dt>
        <dd>${domain.chainId}</dd>
      </dl>
    `} ${signers.length === 0 ? "" : html`
      <div
        class="table-scroll"
        tabindex="0"
        role="region"
        aria-label="Signers"
      >
        <table>
          <thead>
            <tr>
              <th scope="col">Address</th>
              <th scope="col">State</th>
              <th scope="col">What that means</th>
            </tr>
          </thead>
          <tbody>
            ${signers.map(rowOf)}
          </tbody>
        </table>
      </div>
    `}
    <p class="small muted">For programs: <a href="${WELL_KNOWN}">${WELL_KNOWN}</a></p>
  `;
}

function rowOf({ address, status }: AttestationInfo["signers"][number]) {
  const [badge, meaning] = STATES[status];
  return html`
    <tr>
      <td class="mono">${address}</td>
      <td><span class="badge ${badge}">${status}</span></td>
      <td>${meaning}</td>
    </tr>
  `;
}

function snippetFor(publicUrl: string): string {
  return `import { verifyTypedData } from "viem";

const response = await fetch("${publicUrl}${WELL_KNOWN}");
const { domain, types, signers } = await response.json();

/** Whether the service has signed this score, and it still holds. */
export async function isGenuine({ message, signature, signer }) {
  const isKnown = signers.some(({ address, status }) =>
    address === signer && status !== "revoked"
  );
  const primaryType = "ScoreAttestation";
  return isKnown && Number(message.expiresAt) > Date.now() / 1000 &&
    await verifyTypedData(
      { address: signer, domain, types, primaryType, message, signature },
    );
}`;
}
