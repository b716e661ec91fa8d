/** Signed scores, who signs them, and the page that verifies them. */
import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import {
  type AttestationsDeps,
  describeAttesting,
  requireSigning,
  signScore,
} from "../../services/attestations/attestations.ts";
import { AddressPath } from "../../services/platform/address_schema.ts";
import {
  AttestationInfo,
  SignedAnswer,
  SignedQuery,
  type SignerState,
} from "../../services/attestations/attestations_schema.ts";
import { ErrorBody, NoQuery } from "../../services/platform/wire_schema.ts";
import { refuseFixtureSigned } from "../../services/scores/test_key_answers.ts";
import {
  meter,
  requesterOf,
  type SessionRequest,
} from "../../services/scores/charge_and_refund.ts";
import { SESSION_KEY, sessionCaller } from "../../services/accounts/access.ts";
import { Fault } from "../../services/platform/fault.ts";
import { limitWallet } from "../../services/platform/rate_limit/change_limits.ts";
import {
  ACCOUNT_ERRORS,
  type AccountEnv,
  ofWallet,
  signedIn,
} from "../accounts/session.ts";
import { addressOf } from "../http/client_address.ts";
import {
  answerKeyed,
  type CallerEnv,
  requireAccess,
} from "../accounts/caller.ts";
import {
  anyOrigin,
  BAD_QUERY,
  json,
  KEYED_ERRORS,
  newRouter,
} from "../http/router.ts";
import { ACCOUNT, SCORING } from "../http/paths.ts";
import { answerPage } from "../pages/page.ts";
import { html } from "hono/html";
import { TIER_IDS, TIERS } from "../../services/model/score_terms_schema.ts";
import type { Page } from "../pages/layout.ts";
import { table } from "../pages/tables.ts";

/** The route of the log of calls. */
const OWN_SIGNED = "/score/signed";

/** Variables of the session's signed score. `request` is set once its plan is known. */
interface OwnSignedEnv {
  Variables: AccountEnv["Variables"] & { request: SessionRequest | undefined };
}

/** Notes a call in the log of the session's wallet: also a refused one, as a key's. */
const noted =
  (deps: AttestationsDeps): MiddlewareHandler<OwnSignedEnv> =>
  async (c, next) => {
    await next();
    const wallet: string | undefined = c.var.wallet;
    if (wallet === undefined) return;
    deps.callLog.note(wallet, {
      at: deps.now().getTime(),
      endpoint: `POST ${ACCOUNT}${OWN_SIGNED}`,
      keyId: SESSION_KEY,
      status: c.res.status,
      units: c.var.request?.units ?? 0,
      requestId: c.var.requestId,
    });
  };

/** Serves the signed score of the signed-in wallet, without a key. */
function ownSigned(deps: AttestationsDeps) {
  const postOwnSigned = createRoute({
    operationId: "postOwnSigned",
    description:
      "Spends one unit of the wallet's plan, from Growth on, and signs the score of this wallet only. The session is the proof: no key is needed or made. Nothing is charged if it fails.",
    ...ofWallet(deps),
    middleware: [noted(deps), signedIn(deps)] as const,
    method: "post",
    path: OWN_SIGNED,
    summary: "Sign your own score (EIP-712)",
    request: { query: SignedQuery },
    responses: {
      200: json(SignedAnswer, "The attestation"),
      ...KEYED_ERRORS,
      ...ACCOUNT_ERRORS,
      501: json(ErrorBody, "Signing is disabled on this deployment"),
    },
  });
  return newRouter<OwnSignedEnv>().openapi(postOwnSigned, async (c) => {
    const { wallet, paid } = c.var;
    const { ttl } = c.req.valid("query");
    if (await c.req.text() !== "") throw unexpectedBody();
    requireSigning(deps);
    await limitWallet(deps, "signature", wallet);
    const request: SessionRequest = {
      caller: sessionCaller(wallet, paid),
      endpoint: "signed",
      unverified: null,
      quotaStatus: null,
      units: 0,
      hostname: addressOf(deps, c.req.raw, c.env),
    };
    c.set("request", request);
    const answer = await meter(deps, request, {
      endpoint: "signed",
      units: 1,
      work: () => signScore(deps, wallet, ttl, requesterOf(request)),
      fixture: refuseFixtureSigned,
    });
    return c.json(answer, 200);
  });
}

/** Returns the fault of a body, whose `ttl` would else be ignored and paid for. */
const unexpectedBody = () =>
  new Fault("Invalid body: expected none; ttl is a parameter of the query", {
    kind: "badInput",
    parameter: "body",
  });

/** Serves signed scores. Mount behind `keyed`. */
function attestations(deps: AttestationsDeps) {
  const getSigned = createRoute({
    operationId: "getSigned",
    description:
      "Spends one unit. The answer holds the typed data as it was signed, so that a contract or a page can verify it without asking the service.",
    tags: ["Attestations"],
    method: "get",
    security: [{ ApiKey: [] }],
    path: "/score/{address}/signed",
    summary:
      "Read the live score of one address as a signed attestation (EIP-712)",
    middleware: [requireAccess(deps, "signed")] as const,
    request: { params: AddressPath, query: SignedQuery },
    responses: {
      200: json(SignedAnswer, "The attestation"),
      ...KEYED_ERRORS,
      501: json(ErrorBody, "Signing is disabled on this deployment"),
    },
  });
  return newRouter<CallerEnv>().openapi(getSigned, async (c) => {
    const { address } = c.req.valid("param");
    const { ttl } = c.req.valid("query");
    requireSigning(deps);
    const keyed = c.get("keyed");
    const requester = requesterOf(keyed);
    const work = () => signScore(deps, address, ttl, requester);
    const fixture = refuseFixtureSigned;
    const call = { endpoint: "signed", units: 1, work, fixture } as const;
    return answerKeyed(await meter(deps, keyed, call));
  });
}

const getSigners = createRoute({
  operationId: "getSigners",
  description:
    "The current signer, the former ones with their state, and the EIP-712 type and domain.",
  tags: ["Attestations"],
  method: "get",
  path: "/score-attestation.json",
  summary: "Show the signers of attestations, and the signed type",
  request: { query: NoQuery },
  responses: {
    200: json(AttestationInfo, "Signers, domain and types"),
    ...BAD_QUERY,
  },
});

/** Serves what those who verify attestations need to know, under the well-known paths (RFC 8615). */
function wellKnown(deps: AttestationsDeps) {
  const router = newRouter();
  router.use("/score-attestation.json", anyOrigin());
  return router.openapi(getSigners, async (c) => {
    c.header("Cache-Control", "public, max-age=300");
    return c.json(await describeAttesting(deps), 200);
  });
}

/** Mounts the routers of signed scores on the app, after the check of keys. */
export function mountAttestations(
  app: OpenAPIHono,
  deps: AttestationsDeps,
): void {
  app.route(SCORING, attestations(deps));
  app.route(ACCOUNT, ownSigned(deps));
  app.route("/.well-known", wellKnown(deps));
  app.route("/", verifyAttestation(deps));
}

/** Serves the page. */
function verifyAttestation(deps: AttestationsDeps) {
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
    `} ${signers.length === 0 ? "" : table("Signers", {
      isCards: true,
      head: ["Address", "State", "Meaning"],
      rows: signers.map(rowOf),
    })}
    <p
      class="small muted">Signers as JSON: <a href="${WELL_KNOWN}">${WELL_KNOWN}</a></p>
  `;
}

function rowOf({ address, status }: AttestationInfo["signers"][number]) {
  const [badge, meaning] = STATES[status];
  return [
    html`<span class="mono">${address}</span>`,
    html`<span class="badge ${badge}">${status}</span>`,
    meaning,
  ];
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
