/** Signed scores over HTTP: fields, order of errors, refunds, and the published signers. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "@std/assert";
import {
  recoverTypedSignature,
  SignTypedDataVersion,
} from "@metamask/eth-sig-util";
import { verifyTypedData as verifyByEthers } from "ethers";
import { getAddress, verifyTypedData } from "viem";
import { createApp } from "../../../routes/app.ts";
import {
  localSigner,
  signScore,
} from "../../../services/attestations/attestations.ts";
import {
  AttestationInfo,
  SignedAnswer,
} from "../../../services/attestations/attestations_schema.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import {
  CONTRACT,
  SIGNER,
  SIGNER_KEY,
  SIGNING,
} from "../../support/attestations.ts";
import { type Answer, askScoring, enrol } from "../../support/callers.ts";
import { type CallOptions, newOwner } from "../../support/owners.ts";
import { HOUR_MS } from "../../../services/platform/days.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const SUBJECT = exampleOf("heavy");
const SIGNED = `/score/${SUBJECT}/signed`;
const RETIRING = `0x${"7e".repeat(20)}`;
const REVOKED = `0x${"4e".repeat(20)}`;

/** Calls that left for the sources of signals. */
const callsOf = ({ upstreams: { explorer, cChainRpc } }: TestDeps) =>
  explorer.calls.length + cChainRpc.calls.length;

Deno.test("GET /score/:address/signed returns every field, and costs one unit", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const { ask, used } = await enrol(deps, { plan: "growth" });
  const { status, body, headers, text } = await ask(SIGNED);
  assertEquals(status, 200, text);
  assertEquals(Object.keys(body), [
    "domain",
    "types",
    "primaryType",
    "message",
    "digest",
    "signature",
    "signer",
    "readable",
    "model",
  ]);
  assertEquals(SignedAnswer.parse(body), body, "no field but the schema's");
  assertEquals(
    Object.keys(body.readable),
    [...Object.keys(body.message).toSpliced(4, 0, "tierLabel"), "modelTables"],
  );
  assertEquals(headers.get("Cache-Control"), "private, no-store");
  assertEquals(headers.get("X-RateLimit-Remaining"), "249999");
  assertEquals(await used(), 1);
  const { days } = (await ask("/usage")).body;
  assertEquals(days.at(-1).units.signed, 1);

  assertEquals(
    body.signer,
    (await askScoring(deps, "")).body.attestation.signer,
  );
  assert(await verifyTypedData({ ...body, address: SIGNER }));
  const { domain, types, message, signature } = body;
  const recovered = verifyByEthers(domain, types, message, signature);
  assertEquals(recovered.toLowerCase(), SIGNER);

  const upper = SUBJECT.toUpperCase().replace("0X", "0x");
  for (const address of [upper, getAddress(SUBJECT)]) {
    const { body } = await ask(`/score/${address}/signed`);
    assertEquals(body.message.subject, SUBJECT, address);
    const subject = getAddress(SUBJECT);
    const typed = { ...body, message: { ...body.message, subject } };
    assert(await verifyTypedData({ ...typed, address: SIGNER }));
  }
});

Deno.test("POST /api/account/score/signed signs the session's own score, and the wallet's plan pays one unit", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const owner = newOwner(deps);
  const { wallet } = owner;
  const sign = (options?: CallOptions) =>
    owner.call("POST", "/score/signed", options);
  const used = async () => (await owner.call("GET", "")).body.usage.used;
  const codeOf = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    return `${status} ${body.code}`;
  };
  assertEquals(await codeOf(sign()), "401 SIGNED_OUT");
  await owner.signIn();
  assertEquals(await codeOf(sign()), "402 PLAN_REQUIRED");
  await enrol(deps, { plan: "growth", wallet });
  for (
    const headers of [{ Origin: "https://evil.example" }, { Origin: null }]
  ) {
    assertEquals((await sign({ headers })).status, 403);
  }
  const refused = await sign({ body: { ttl: 600 } });
  assertEquals(
    [refused.status, refused.body.error],
    [400, "Invalid body: expected none; ttl is a parameter of the query"],
  );
  const other = { "Firn-Wallet": SUBJECT };
  assertEquals(await codeOf(sign({ headers: other })), "401 SIGNED_OUT");
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  assertEquals(await codeOf(sign()), "500 UPSTREAM_UNAVAILABLE");
  deps.upstreams.explorer.switch.set({ mode: "ok" });
  assertEquals(await used(), 0, "what is refused or fails costs nothing");

  deps.advance(HOUR_MS);
  const { status, body, text } = await sign();
  assertEquals(status, 200, text);
  assertEquals(SignedAnswer.parse(body), body);
  assertEquals(body.message.subject, wallet);
  assert(await verifyTypedData({ ...body, address: SIGNER }));
  assertEquals(await used(), 1);
  const { calls } = (await owner.call("GET", "/calls")).body;
  assertEquals(
    calls.map((
      { keyName, endpoint, status, units }: Record<string, unknown>,
    ) => [keyName, endpoint, status, units]),
    // What is refused is logged as that of a key, but for what no session sent.
    [[200, 1], [500, 0], [400, 0], [402, 0]].map((call) => [
      "Signed-in session",
      "POST /api/account/score/signed",
      ...call,
    ]),
  );
  // Whoever holds the session alone cannot spend the quota.
  for (let nth = 1; nth < 5; nth++) assertEquals((await sign()).status, 200);
  assertEquals((await sign()).status, 429);
  assertEquals(await used(), 5);
});

Deno.test("an attestation has the current score, and counts as a read of it", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const { ask } = await enrol(deps, { plan: "growth" });
  const { body: { message } } = await ask(SIGNED);
  const { body: { history } } = await ask(`/score/${SUBJECT}/history`);
  assertEquals(history.length, 1);
  const calls = callsOf(deps);
  const { body: score } = await ask(`/score/${SUBJECT}`);
  const { body: again } = await ask(
    SIGNED.toUpperCase().replace("/SCORE/0X", "/score/0x").replace(
      "/SIGNED",
      "/signed",
    ),
  );
  assertEquals(callsOf(deps), calls, "no upstream call for stored signals");
  for (const { score: points, subject } of [message, again.message]) {
    assertEquals([points, subject], [String(score.headline.score), SUBJECT]);
  }
  assert(BigInt(again.message.nonce) > BigInt(message.nonce));
});

Deno.test("ttl must be a whole number of seconds from 300 to 604800", async (t) => {
  using deps = await testDeps({ settings: SIGNING });
  const { ask, used } = await enrol(deps, { plan: "growth" });
  const accepted: [query: string, ttl: number][] = [
    ["", 604_800],
    ["?ttl=300", 300],
    ["?ttl=86400", 86_400],
    ["?ttl=604800", 604_800],
  ];
  for (const [query, ttl] of accepted) {
    await t.step(query || "none", async () => {
      const { body: { message, readable } } = await ask(SIGNED + query);
      assertEquals(Number(message.expiresAt) - Number(message.issuedAt), ttl);
      const ms = Date.parse(readable.expiresAt) - Date.parse(readable.issuedAt);
      assertEquals(ms, ttl * 1000);
    });
  }
  const refused: [query: string, error: RegExp][] = [
    ...[
      "299",
      "604801",
      "0",
      "-300",
      "",
      "300.0",
      "3e2",
      "0300",
      "+300",
      "%20300",
      "0x12c",
      "week",
      "99999999999999999999",
    ].map((ttl): [string, RegExp] => [
      `?ttl=${ttl}`,
      /expected a whole number of seconds from 300 to 604800/,
    ]),
    ["?ttl=300&ttl=301", /ttl "300", "301": expected one value/],
    ["?expires=300", /"expires".*expected ttl/],
  ];
  for (const [query, error] of refused) {
    await t.step(query, async () => {
      const { status, body } = await ask(SIGNED + query);
      assertEquals([status, body.code], [400, "BAD_REQUEST"]);
      assertMatch(body.error, error);
    });
  }
  assertEquals(await used(), accepted.length);
});

Deno.test("errors are checked in order: key, plan, input, signing, limits", async () => {
  using off = await testDeps();
  using on = await testDeps({ settings: SIGNING });
  const bad = "/score/0x12/signed?ttl=1";
  for (const deps of [off, on]) {
    assertEquals((await askScoring(deps, bad)).status, 401);
    for (const plan of ["free", "builder"] as const) {
      const { ask, used } = await enrol(deps, { plan, wallet: `0x${plan}` });
      const { status, body } = await ask(bad);
      assertEquals([status, body.code], [402, "PLAN_REQUIRED"]);
      assertEquals(body.requiredPlan, "growth");
      assertEquals(await used(), 0);
    }
    const { ask, leave } = await enrol(deps, { plan: "growth" });
    await leave(0);
    const { status, body } = await ask(bad);
    assertEquals([status, body.code], [400, "BAD_REQUEST"]);
    const next = deps === off ? [501, "NOT_ENABLED"] : [429, "QUOTA_EXCEEDED"];
    const answer = await ask(SIGNED);
    assertEquals([answer.status, answer.body.code], next);
    assertEquals(callsOf(deps), 0);
  }
});

Deno.test("501 without a signer: no charge, no read, and rate limit headers", async () => {
  using deps = await testDeps();
  const { ask, used } = await enrol(deps, { plan: "growth" });
  for (let call = 0; call < 70; call++) {
    const { status, body, headers } = await ask(SIGNED);
    assertEquals([status, body.code], [501, "NOT_ENABLED"]);
    assertEquals(body.message, body.error);
    assertEquals(headers.get("X-RateLimit-Remaining"), "250000");
  }
  assertEquals(await used(), 0);
  assertEquals(callsOf(deps), 0);
});

Deno.test("a failed signing is a 500 without the key, and refunds the unit", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const { sign } = localSigner(`0x${"0f".repeat(32)}`);
  const signer = { ...localSigner(SIGNER_KEY), sign };
  const attesting = {
    ...deps.attesting,
    signing: { signer, contract: CONTRACT },
  };
  const failing = { ...deps, attesting };
  const { ask, used } = await enrol(failing, { plan: "growth" });
  const { status, body, text } = await ask(SIGNED);
  assertEquals([status, body.code], [500, "INTERNAL"]);
  assertEquals(await used(), 0);
  assertEquals(deps.lines.length, 1);
  assertMatch(deps.lines[0]!, /the signature is not the signer's/);
  for (const shown of [text, ...deps.lines]) {
    assert(!shown.includes(SIGNER_KEY.slice(2)));
  }
});

Deno.test("an outage of the signals' upstreams is a 500, and refunds the unit", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const { ask, used } = await enrol(deps, { plan: "growth" });
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  deps.upstreams.cChainRpc.switch.set({ mode: "refuse" });
  const { status, body } = await ask(SIGNED);
  assertEquals([status, body.code], [500, "UPSTREAM_UNAVAILABLE"]);
  assertEquals(await used(), 0);
});

Deno.test("signers are published twice with equal content, readable from any origin", async () => {
  using deps = await testDeps({
    settings: {
      ...SIGNING,
      CHAIN_ID: "43113",
      ATTESTATION_SIGNERS: `${RETIRING}:retiring, ${REVOKED}:revoked`,
    },
  });
  const app = createApp(deps);
  const response = await app.request("/.well-known/score-attestation.json");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("Access-Control-Allow-Origin"), "*");
  assertEquals(response.headers.get("Cache-Control"), "public, max-age=300");
  const info = await response.json();
  assertEquals(AttestationInfo.parse(info), info);
  const { types, ...rest } = info;
  assertEquals(rest, {
    enabled: true,
    signer: SIGNER,
    contract: CONTRACT,
    chainId: 43_113,
    domain: {
      name: "Firn Score",
      version: "1",
      chainId: 43_113,
      verifyingContract: CONTRACT,
    },
    signers: [
      { address: SIGNER, status: "active" },
      { address: RETIRING, status: "retiring" },
      { address: REVOKED, status: "revoked" },
    ],
  });
  assertEquals((await askScoring(deps, "")).body.attestation, info);
  const { ask } = await enrol(deps, { plan: "growth" });
  const { body } = await ask(SIGNED);
  assertEquals([body.domain, body.types], [info.domain, types]);
});

Deno.test("former signers are published without a current signer", async () => {
  using deps = await testDeps({
    settings: { ATTESTATION_SIGNERS: `${REVOKED}:revoked` },
  });
  const { enabled, signer, contract, domain, signers } =
    (await askScoring(deps, "")).body.attestation;
  assertEquals([enabled, signer, contract, domain], [false, null, null, null]);
  assertEquals(signers, [{ address: REVOKED, status: "revoked" }]);
});

Deno.test("ethers and eth-sig-util verify an attestation as the guide says", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const published = await (await createApp(deps)
    .request("/.well-known/score-attestation.json")).json();
  const { domain, types } = published;
  const signed = await signScore(deps, `0x${"ab".repeat(20)}`, 3600, SERVICE);
  const { message, signature, signer } = JSON.parse(JSON.stringify(signed));
  const byEthers = verifyByEthers(domain, types, message, signature);
  assertEquals(byEthers.toLowerCase(), signer);

  const guide = await Deno.readTextFile(
    new URL("../../../routes/docs/guides/attestations.md", import.meta.url),
  );
  const [, fields] = /const EIP712Domain = (\[[^\]]+\]);/.exec(guide)!;
  const EIP712Domain = new Function(`return ${fields}`)();
  const data = {
    domain,
    types: { EIP712Domain, ...types },
    primaryType: "ScoreAttestation",
    message,
  };
  const version = SignTypedDataVersion.V4;
  const bySigUtil = recoverTypedSignature({ data, signature, version });
  assertEquals(bySigUtil.toLowerCase(), signer);
  // Without the addition, it recovers another address.
  const short = { ...data, types };
  assertNotEquals(
    recoverTypedSignature({ data: short, signature, version }).toLowerCase(),
    signer,
  );
});
