/** The page that verifies signed scores. */
import { describeAttesting } from "../../services/attestations/signers.ts";
import type { AttestationsDeps } from "../../services/attestations/attestations.ts";
import { answerPage } from "../pages/page.ts";
import { newRouter } from "../http/router.ts";
import { html } from "hono/html";
import type {
  AttestationInfo,
  SignerState,
} from "../../services/attestations/attestations_schema.ts";
import { TIER_IDS, TIERS } from "../../services/model/score_terms_schema.ts";
import type { Page } from "../pages/layout.ts";

/** Serves the page. */
export function verifyAttestation(deps: AttestationsDeps) {
  return newRouter().get(VERIFY_PATH, async (c) => {
    const published = await describeAttesting(deps);
    const { publicUrl } = deps;
    return answerPage(c, verifyAttestationPage({ published, publicUrl }));
  });
}

/** Path of the page. */
const VERIFY_PATH = "/tools/verify-attestation";

/** Path of the published signers, as JSON. */
const WELL_KNOWN = "/.well-known/score-attestation.json";

/** Badge and meaning of each signer state. */
const STATES: Readonly<
  Record<SignerState, readonly [badge: string, meaning: string]>
> = {
  active: ["badge-good", "Signs now"],
  retiring: ["badge-warn", "Signs no more; its signatures stay valid"],
  revoked: ["badge-bad", "Its signatures are not valid"],
};

/** Renders the page. It embeds the signers, so verifying needs no request. */
function verifyAttestationPage(
  { published, publicUrl }: {
    readonly published: AttestationInfo;
    readonly publicUrl: string;
  },
): Page {
  const tiers = TIER_IDS.map((tier) => ({ tier, label: TIERS[tier].label }));
  return {
    title: "Verify a signed score",
    description:
      "Check in your browser who signed a wallet score, for which contract, and when it expires.",
    nav: "score",
    url: `${publicUrl}${VERIFY_PATH}`,
    modules: ["verify_attestation.js", "copy.js"],
    body: html`
      <div class="stack stack-large">
        <header class="stack stack-small">
          <h1>Verify a signed score</h1>
          <p
            class="lede">Paste a response of <code>GET /api/v1/score/{address}/signed</code>.
            Your browser checks the signature, even offline. Nothing that you
            paste is sent anywhere.</p>
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
          <noscript><p class="notice notice-warn">Verifying needs JavaScript. You can
            use the code at the end of this page instead.</p></noscript>
        </form>
        <section class="stack" aria-label="Result">
          <div id="verdict" role="status"></div>
          <div id="findings" class="grid" hidden></div>
        </section>
        <section class="stack">
          <h2>Signers</h2>
          ${signersOf(published)}
        </section>
        <section class="stack">
          <h2>Verify in your code</h2>
          <p
            class="prose">This code uses <a href="https://viem.sh">viem</a>. Take the domain and
            types from the published signers, never from the score itself: a forged
            score can contain any domain and types.</p>
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
      <p class="notice notice-warn">This deployment does not sign scores.</p>
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
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            ${signers.map(rowOf)}
          </tbody>
        </table>
      </div>
    `}
    <p
      class="small muted">Signers as JSON: <a href="${WELL_KNOWN}">${WELL_KNOWN}</a></p>
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

/** Returns whether the service signed this score of an address and it has not expired. */
export async function isGenuine({ message, signature, signer }, address) {
  const isKnown = signers.some(({ address, status }) =>
    address === signer && status !== "revoked"
  );
  const primaryType = "ScoreAttestation";
  const isOfAddress = message.subject.toLowerCase() === address.toLowerCase();
  const isCurrent = Number(message.expiresAt) > Date.now() / 1000;
  return isKnown && isOfAddress && isCurrent &&
    await verifyTypedData(
      { address: signer, domain, types, primaryType, message, signature },
    );
}`;
}
