/** One-time messages: what they say, that they are good once, and what a crash leaves. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { parseSiweMessage } from "viem/siwe";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import {
  confirm,
  createChallenge,
} from "../../../services/accounts/challenges.ts";
import { NO_LIMITS } from "../../../services/accounts/key_limits_schema.ts";
import { Fault } from "../../../services/platform/fault.ts";
import type { ChallengeBody } from "../../../services/accounts/account_schema.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { keyPair } from "../../support/owners.ts";

const SIGNER = keyPair();
const address = SIGNER.address.toLowerCase();
const keyId = "0198c1f0-5f6c-4c5e-9a3e-0123456789ab";

async function prove(deps: TestDeps, body: ChallengeBody) {
  const { nonce, message } = await createChallenge(deps, body);
  return { nonce, signature: await SIGNER.signMessage({ message }) };
}

async function kindOfFault(promise: Promise<unknown>): Promise<string> {
  const { failure } = await assertRejects(() => promise, Fault) as Fault;
  return failure.kind;
}

Deno.test("createChallenge() writes an EIP-4361 message for this service alone", async () => {
  using deps = await testDeps();
  const { nonce, message, expiresAt } = await createChallenge(deps, {
    address,
    action: "key.create",
    keyName: "CI bot #1 (a/b)",
    kind: "live",
    limits: NO_LIMITS,
  });
  assertEquals(
    message,
    `localhost:8000 wants you to sign in with your Ethereum account:
${SIGNER.address}

Create the live API key 'CI bot #1 (a/b)' for this wallet.

URI: http://localhost:8000
Version: 1
Chain ID: 43114
Nonce: ${nonce}
Issued At: 2026-11-21T08:00:00.000Z
Expiration Time: 2026-11-21T08:10:00.000Z
Resources:
- http://localhost:8000/api/account?action=key.create&keyName=CI+bot+%231+%28a%2Fb%29&kind=live`,
  );
  assertEquals(expiresAt, "2026-11-21T08:10:00.000Z");
  assertEquals(parseSiweMessage(message).nonce, nonce);
});

Deno.test("createChallenge() says each action in words", async (t) => {
  using deps = await testDeps();
  const cases: [ChallengeBody, statement: string][] = [
    [
      { address, action: "session" },
      "Sign in to Firn. This costs nothing and sends nothing.",
    ],
    [
      {
        address,
        action: "key.create",
        keyName: "x",
        kind: "test",
        limits: NO_LIMITS,
      },
      "Create the test API key 'x' for this wallet.",
    ],
    [
      { address, action: "key.limit", keyId, limits: NO_LIMITS },
      `Change the limits of the API key ${keyId}. No limits.`,
    ],
    [
      {
        address,
        action: "key.limit",
        keyId,
        limits: { ...NO_LIMITS, maxUnits: 9, note: "not in the statement" },
      },
      `Change the limits of the API key ${keyId}. Limits: at most 9 units in 30 days.`,
    ],
    [
      { address, action: "key.revoke", keyId },
      `Revoke the API key ${keyId}. It stops working at once.`,
    ],
    [
      { address, action: "key.rotate", keyId, graceSeconds: 0 },
      `Replace the API key ${keyId}. It stops working at once.`,
    ],
    [
      { address, action: "key.rotate", keyId, graceSeconds: 86_400 },
      `Replace the API key ${keyId}. It stops working in 86400 seconds.`,
    ],
  ];
  for (const [body, statement] of cases) {
    await t.step(statement, async () => {
      const { message } = await createChallenge(deps, body);
      assertEquals(parseSiweMessage(message).statement, statement);
    });
  }
});

Deno.test("createChallenge() never gives one nonce twice", async () => {
  using deps = await testDeps();
  const made = await Promise.all(
    Array.from(
      { length: 100 },
      () => createChallenge(deps, { address, action: "session" }),
    ),
  );
  assertEquals(new Set(made.map(({ nonce }) => nonce)).size, 100);
});

Deno.test("confirm() returns the wallet that signed, once", async () => {
  using deps = await testDeps();
  const proof = await prove(deps, { address, action: "session" });
  const meant = { action: "session", params: {}, hostname: null } as const;
  assertEquals(await confirm(deps, proof, meant), {
    wallet: address,
    byContract: null,
  });
  const again = confirm(deps, proof, meant);
  assertEquals(await kindOfFault(again), "signatureRefused");
});

Deno.test("confirm() takes a message away before it asks the node, whatever the node does", async () => {
  using deps = await testDeps();
  const { nonce } = await createChallenge(deps, { address, action: "session" });
  const signature = `0x${"12".repeat(66)}`;
  const meant = { action: "session", params: {}, hostname: null } as const;
  deps.upstreams.cChainRpc.switch.set({ mode: "refuse" });
  const failed = confirm(deps, { nonce, signature }, meant);
  const error = await assertRejects(() => failed, Fault) as Fault;
  assertEquals(error.failure.kind, "upstreamDown");
  assert(error.message.includes("sign another message"), error.message);
  assertEquals(await deps.store.challenges.take(nonce), null);
});

Deno.test("a crash between the message and the key leaves no message and no half of a key", async () => {
  using deps = await testDeps();
  const order = { keyName: "bot", kind: "live", limits: NO_LIMITS } as const;
  const proof = await prove(deps, { address, action: "key.create", ...order });
  const meant = {
    action: "key.create",
    params: order,
    hostname: null,
  } as const;
  const before = await Array.fromAsync(deps.kv.list({ prefix: [] }));
  assertEquals(before.map(({ key }) => key[0]), ["challenges"]);
  await confirm(deps, proof, meant);
  // The process ends here: the key was not created.
  const after = await Array.fromAsync(deps.kv.list({ prefix: [] }));
  assertEquals(
    after.map(({ key, value }) => [key.slice(0, 2), value]),
    [[["challenges", proof.nonce], true]],
    "only the receipt",
  );
  assertEquals(
    await kindOfFault(confirm(deps, proof, meant)),
    "signatureRefused",
  );
  const wallet = address;
  assert(await createApiKey(deps, { wallet, name: "bot" }));
  const stored = await Array.fromAsync(deps.kv.list({ prefix: [] }));
  assertEquals(stored.map(({ key }) => key[0]), [
    "api_key_owners",
    "api_keys",
    "audit",
    "challenges",
    "wallet_keys",
  ]);
});

Deno.test("confirm() takes a message for its action, parameters and wallet, for less than ten minutes, signed by its wallet", async (t) => {
  const other = `0x${"bb".repeat(20)}`;
  const body = { address, action: "key.revoke", keyId } as const;
  const meant = {
    action: "key.revoke",
    params: { keyId },
    hostname: null,
  } as const;
  const cases: [
    name: string,
    isTaken: boolean,
    change: {
      afterMs?: number;
      keyId?: string;
      wallet?: string;
      message?: string;
      signature?: string;
    },
  ][] = [
    ["as it is", true, {}],
    ["by its wallet", true, { wallet: address }],
    ["just in time", true, { afterMs: 10 * 60_000 - 1 }],
    ["ten minutes old", false, { afterMs: 10 * 60_000 }],
    ["another parameter", false, { keyId: "other" }],
    ["another wallet", false, { wallet: other }],
    ["another message", false, { message: "other" }],
    ["another signature", false, { signature: `0x${"12".repeat(65)}` }],
  ];
  for (const [name, isTaken, change] of cases) {
    await t.step(name, async () => {
      using deps = await testDeps();
      const proof = await prove(deps, body);
      deps.advance(change.afterMs ?? 0);
      const { message, signature = proof.signature, wallet } = change;
      const asked = {
        ...meant,
        params: { keyId: change.keyId ?? keyId },
        ...wallet !== undefined && { wallet },
      };
      const given = {
        ...proof,
        signature,
        ...message !== undefined && { message },
      };
      const confirming = confirm(deps, given, asked);
      if (isTaken) {
        assertEquals((await confirming).wallet, address);
      } else {
        assertEquals(await kindOfFault(confirming), "signatureRefused");
      }
      assertEquals(
        await kindOfFault(confirm(deps, proof, meant)),
        "signatureRefused",
        "it is consumed",
      );
    });
  }
});

Deno.test("confirm() throws an error that is no fault as it is", async () => {
  using deps = await testDeps();
  const { nonce } = await createChallenge(deps, { address, action: "session" });
  const broken = new Error("broken");
  const [node] = deps.upstream.signatures;
  const isSignatureValid = () => Promise.reject(broken);
  const signatures = [{ ...node!, isSignatureValid }];
  const asking = { ...deps, upstream: { ...deps.upstream, signatures } };
  const proof = { nonce, signature: `0x${"12".repeat(66)}` };
  const meant = { action: "session", params: {}, hostname: null } as const;
  const error = await assertRejects(() => confirm(asking, proof, meant));
  assertEquals(error, broken);
});
