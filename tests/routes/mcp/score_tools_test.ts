/** The keyed tools of `/mcp`: the same units, refusals and order of checks as HTTP. */
import { assert, assertEquals } from "@std/assert";
import { getAddress } from "viem";
import {
  createApiKey,
  revokeApiKey,
} from "../../../services/accounts/api_keys.ts";
import { SCORED_FIXTURES } from "../../../services/scores/test_key_answers.ts";
import { SIGNER, SIGNING } from "../../support/attestations.ts";
import { enrol } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";
import { connectInside } from "../../support/mcp.ts";

const ADDRESS = "0x52908400098527886e0f7030069857d2e4169ee7";
const OTHER = `0x${"11".repeat(20)}`;

Deno.test("get_score and post_batch answer as HTTP and spend the same units of the same quota", async () => {
  using deps = await testDeps();
  const caller = await enrol(deps, { plan: "builder" });
  await using mcp = await connectInside(deps, { key: caller.key });
  const { answer } = await mcp.call("get_score", { address: ADDRESS });
  const { quota, ...score } = answer;
  assertEquals(await caller.used(), 1);
  const http = await caller.ask(`/score/${ADDRESS}`);
  assertEquals(await caller.used(), 2);
  assertEquals(score, http.body);
  const limit = Number(http.headers.get("X-RateLimit-Limit"));
  assertEquals([quota.limit, quota.remaining], [limit, limit - 1]);

  const addresses = [ADDRESS, OTHER, ADDRESS];
  const batch = await mcp.call("post_batch", { addresses });
  assertEquals(await caller.used(), 5);
  assertEquals(batch.answer.quota.remaining, limit - 5);
  const { columns, rows } = batch.answer.results;
  const { body } = await caller.batch({ addresses });
  assertEquals(
    rows,
    body.results.map((item: Record<string, unknown>) =>
      columns.map((name: string) => item[name] ?? null)
    ),
  );
});

Deno.test("many calls at once are each counted once", async () => {
  using deps = await testDeps();
  const caller = await enrol(deps, { plan: "builder" });
  await using mcp = await connectInside(deps, { key: caller.key });
  await mcp.call("get_score", { address: ADDRESS });
  const outcomes = await Promise.all(
    Array.from(
      { length: 20 },
      () => mcp.call("get_score", { address: ADDRESS }),
    ),
  );
  assertEquals(outcomes.filter(({ isError }) => isError), []);
  assertEquals(await caller.used(), 21);
});

Deno.test("a refused call has the body of HTTP and costs nothing", async (t) => {
  const batchOf = (count: number) => ({
    addresses: Array.from({ length: count }, () => ADDRESS),
  });
  type Caller = Awaited<ReturnType<typeof enrol>>;
  const cases: {
    readonly name: string;
    readonly plan?: "free" | "builder";
    readonly prepare?: (caller: Caller) => Promise<void>;
    readonly tool: string;
    readonly given: Record<string, unknown>;
    readonly http: (caller: Caller) => ReturnType<Caller["ask"]>;
    readonly status: number;
  }[] = [
    {
      name: "an invalid address",
      tool: "get_score",
      given: { address: "0x12" },
      http: (caller) => caller.ask("/score/0x12"),
      status: 400,
    },
    {
      name: "a batch of the free plan, although its body is invalid too",
      plan: "free",
      tool: "post_batch",
      given: { addresses: [] },
      http: (caller) => caller.batch({ addresses: [] }),
      status: 402,
    },
    {
      name: "an empty batch",
      tool: "post_batch",
      given: { addresses: [] },
      http: (caller) => caller.batch({ addresses: [] }),
      status: 400,
    },
    {
      name: "a batch of 51",
      tool: "post_batch",
      given: batchOf(51),
      http: (caller) => caller.batch(batchOf(51)),
      status: 400,
    },
    {
      name: "a batch with an invalid address",
      tool: "post_batch",
      given: { addresses: [ADDRESS, "0x1"] },
      http: (caller) => caller.batch({ addresses: [ADDRESS, "0x1"] }),
      status: 400,
    },
    {
      name: "a batch beyond the quota",
      prepare: (caller) => caller.leave(2, "batch"),
      tool: "post_batch",
      given: batchOf(3),
      http: (caller) => caller.batch(batchOf(3)),
      status: 429,
    },
  ];
  for (
    const { name, plan = "builder", prepare, tool, given, ...rest } of cases
  ) {
    await t.step(name, async () => {
      using deps = await testDeps();
      const caller = await enrol(deps, { plan });
      await prepare?.(caller);
      const used = await caller.used();
      await using mcp = await connectInside(deps, { key: caller.key });
      const { answer, isError } = await mcp.call(tool, given);
      const { status, body } = await rest.http(caller);
      assertEquals(status, rest.status);
      assertEquals(isError, true);
      assertEquals(answer, body);
      assertEquals(await caller.used(), used);
    });
  }
});

Deno.test("a missing, unknown or revoked key is the same refusal, before arguments are looked at", async () => {
  using deps = await testDeps();
  const { key, id, wallet } = await enrol(deps);
  const messages = new Set<string>();
  const keys = [undefined, `${key.slice(0, -4)}AAAA`, "firn_live_x"];
  for (const key of keys) {
    await using mcp = await connectInside(
      deps,
      key === undefined ? {} : { key },
    );
    const { answer, isError } = await mcp.call("get_score", { x: 1 });
    assertEquals([isError, answer.code], [true, "UNAUTHORIZED"]);
    if (key !== undefined) messages.add(answer.message);
  }
  await using mcp = await connectInside(deps, { key });
  assertEquals(
    (await mcp.call("get_score", { address: ADDRESS })).isError,
    false,
  );
  await revokeApiKey(deps, id, { wallet });
  const { answer } = await mcp.call("get_score", { address: ADDRESS });
  assertEquals(answer.code, "UNAUTHORIZED");
  messages.add(answer.message);
  assertEquals(messages.size, 1);
});

Deno.test("a test key is answered from fixtures and spends nothing", async () => {
  using deps = await testDeps();
  const created = await createApiKey(deps, {
    wallet: OTHER,
    name: "test",
    kind: "test",
  });
  assert(created);
  await using mcp = await connectInside(deps, { key: created.key });
  const { answer, isError, text } = await mcp.call("get_score", {
    address: SCORED_FIXTURES.elite.address,
  });
  assertEquals(isError, false, text);
  assertEquals(answer.address, SCORED_FIXTURES.elite.address);
});

Deno.test("a failed score is refunded, and says no more than HTTP", async () => {
  using deps = await testDeps();
  const caller = await enrol(deps);
  await using mcp = await connectInside(deps, { key: caller.key });
  for (const { switch: upstream } of Object.values(deps.upstreams)) {
    upstream.set({ mode: "refuse" });
  }
  const { answer, isError } = await mcp.call("get_score", { address: OTHER });
  assertEquals([isError, answer.code], [true, "UPSTREAM_UNAVAILABLE"]);
  assertEquals(await caller.used(), 0);
});

Deno.test("verify_attestation accepts the answer of GET /signed, as an object and as text, and says what was changed", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const caller = await enrol(deps, { plan: "growth" });
  const { body: signed } = await caller.ask(`/score/${ADDRESS}/signed`);
  await using mcp = await connectInside(deps);
  const verify = (attestation?: unknown) =>
    mcp.call("verify_attestation", { attestation });
  // An address is the same in whichever case its digits are written.
  const { message: sent, readable } = signed;
  const subjects = [
    ADDRESS.toUpperCase().replace("0X", "0x"),
    getAddress(ADDRESS),
  ].flatMap((subject) => [
    { ...signed, message: { ...sent, subject } },
    { ...signed, readable: { ...readable, subject } },
  ]);
  for (const given of [signed, JSON.stringify(signed), ...subjects]) {
    const { answer, text, isError } = await verify(given);
    assertEquals(isError, false, text);
    assertEquals([answer.isValid, answer.subject], [true, ADDRESS]);
    assertEquals(answer.signer.toLowerCase(), SIGNER);
    assertEquals(String(answer.score), signed.message.score);
    assert(answer.checks.every(({ passes }: { passes: boolean }) => passes));
  }
  const message = { ...signed.message, score: "100" };
  const forged = await verify({ ...signed, message });
  assertEquals([forged.isError, forged.answer.isValid], [false, false]);
  const domain = { ...signed.domain, chainId: -1 };
  for (const given of ["{}", { ...signed, domain }]) {
    const { isError, answer } = await verify(given);
    assertEquals([isError, answer.code], [true, "BAD_REQUEST"]);
  }
  assertEquals(await caller.used(), 1);
});

Deno.test("tools without a key neither read nor refuse one", async () => {
  using deps = await testDeps();
  await using mcp = await connectInside(deps, { key: "firn_live_x" });
  const { isError } = await mcp.call("get_chains");
  assertEquals(isError, false);
});

Deno.test("the limits of a key hold as over HTTP: scopes, networks and cap", async (t) => {
  const none = {
    scopes: null,
    networks: null,
    expiresAt: null,
    maxUnits: null,
    note: null,
  };
  const cases = [
    {
      limits: { ...none, scopes: ["history" as const] },
      code: "SCOPE_REQUIRED",
    },
    {
      limits: { ...none, networks: ["198.51.100.0/24"] },
      code: "NETWORK_NOT_ALLOWED",
    },
    { limits: { ...none, networks: ["192.0.2.0/24"] }, code: null },
    { limits: { ...none, maxUnits: 1 }, code: null, next: "KEY_CAP_EXCEEDED" },
  ];
  for (const { limits, code, next = code } of cases) {
    await t.step(JSON.stringify(limits), async () => {
      using deps = await testDeps();
      const created = await createApiKey(deps, {
        wallet: OTHER,
        name: "bot",
        limits,
      });
      assert(created);
      await using mcp = await connectInside(deps, { key: created.key });
      const ask = async () =>
        (await mcp.call("get_score", { address: ADDRESS })).answer.code ?? null;
      assertEquals([await ask(), await ask()], [code, next]);
    });
  }
});
