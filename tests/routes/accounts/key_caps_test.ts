/** The cap of a key: its headers, what it counts, and that rotations share it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { KeyLimitsBody } from "../../../services/accounts/key_limits_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { testDeps } from "../../support/deps.ts";
import { HERE, openAccount } from "../../support/accounts/limited_keys.ts";

Deno.test("the cap of a key is a 429 with its own headers, and other keys go on", async () => {
  using deps = await testDeps();
  const { ask, askBatch, create, used, listKeys } = await openAccount(deps);
  const { key } = await create({ maxUnits: 5 });
  const free = await create({});
  const first = await askBatch(key, 3);
  assertEquals(first.status, 200);
  const limits = (headers: Headers) =>
    ["Limit", "Remaining"].map((name) => headers.get(`X-RateLimit-${name}`));
  assertEquals(limits(first.headers), ["5", "2"]);
  const refused = await askBatch(key, 3);
  assertEquals(refused.status, 429);
  const { code, limitedBy, needed, remaining, retryAfterMs } = refused.body;
  assertEquals(
    [code, limitedBy, needed, remaining],
    ["KEY_CAP_EXCEEDED", "cap", 3, 2],
  );
  assertEquals(limits(refused.headers), ["5", "2"]);
  const now = deps.now().getTime();
  const fitsAt = (Math.floor(now / DAY_MS) + 31) * DAY_MS;
  assertEquals(retryAfterMs, fitsAt - now);
  assertEquals(
    refused.headers.get("X-RateLimit-Reset"),
    new Date(fitsAt).toISOString(),
  );
  const seconds = Math.ceil((fitsAt - now) / 1000);
  assertEquals(refused.headers.get("Retry-After"), String(seconds));
  assertStringIncludes(
    refused.headers.get("RateLimit-Policy")!,
    '"period";q=250000;w=2592000, "cap";q=5;w=2592000, "burst";',
  );
  assertStringIncludes(
    refused.headers.get("RateLimit")!,
    `"cap";r=2;t=${seconds}, `,
  );
  assertEquals((await ask(key)).status, 200);
  const usage = await ask(key, "/usage");
  const { limit, resetAt, ...cap } = usage.body.cap;
  assertEquals([limit, cap.remaining], [5, 1]);
  assertEquals(resetAt, new Date(fitsAt).toISOString());
  assertEquals((await ask(free.key, "/usage")).body.cap, null);
  assertEquals((await askBatch(free.key, 6)).status, 200);
  assertEquals(await used(), 10);
  const spent = (await listKeys()).map(({ used }: { used: number }) => used);
  assertEquals(spent.toSorted(), [4, 6]);
});

Deno.test("a batch that is larger than the cap of its key is a 400, because no wait helps", async () => {
  using deps = await testDeps();
  const { ask, askBatch, create, used } = await openAccount(deps);
  const { key } = await create({ maxUnits: 10 });
  for (let spent = 0; spent < 2; spent++) {
    assertEquals(await used(), spent);
    const { status, body, headers } = await askBatch(key, 11);
    assertEquals([status, body.code], [400, "BAD_REQUEST"]);
    assertEquals(body.parameter, "addresses");
    assertEquals(
      body.error,
      "Invalid addresses: given 11, expected at most 10: each costs a unit, and the cap of this key is 10 units in 30 days",
    );
    assertEquals(headers.get("Retry-After"), null);
    assertEquals(headers.get("X-RateLimit-Remaining"), String(10 - spent));
    // From now on the caller is cached.
    assertEquals((await ask(key)).status, 200);
  }
});

Deno.test("a failed request costs no units of the cap", async () => {
  using deps = await testDeps();
  const { ask, create, listKeys } = await openAccount(deps);
  const { key } = await create({ maxUnits: 1 });
  deps.upstreams.explorer.switch.set({ mode: "refuse" });
  assertEquals((await ask(key)).status, 500);
  assertEquals((await listKeys())[0].used, 0);
  deps.upstreams.explorer.switch.set({ mode: "ok" });
  deps.advance(120_000);
  assertEquals((await ask(key)).status, 200);
  assertEquals((await ask(key)).status, 429);
});

Deno.test("a rotation keeps the limits and what is spent of the cap, and both keys share it", async () => {
  using deps = await testDeps();
  const { owner, askBatch, create, listKeys } = await openAccount(deps);
  const { id, key, limits } = await create({
    scopes: ["batch"],
    networks: [HERE],
    expiresAt: "2027-01-31T00:00:00Z",
    maxUnits: 10,
    note: "nightly",
  });
  assertEquals((await askBatch(key, 4)).status, 200);
  const rotated = await owner.rotateKey(id, 3_600);
  assertEquals([rotated.status, rotated.body.limits], [201, limits]);
  assertEquals((await askBatch(rotated.body.key, 4)).status, 200);
  for (const each of [key, rotated.body.key]) {
    assertEquals((await askBatch(each, 3)).body.code, "KEY_CAP_EXCEEDED");
  }
  assertEquals((await askBatch(key, 2)).status, 200);
  const [first, second] = await listKeys();
  assertEquals([first.used, second.used], [10, 10]);
  assertEquals([first.limits, second.limits], [limits, limits]);
});

Deno.test("limits that are changed while the key is rotated are never half kept", async () => {
  using deps = await testDeps();
  const { owner, create, listKeys } = await openAccount(deps);
  const { id } = await create({ maxUnits: 10, note: "old" });
  const [limited, rotated] = await Promise.all([
    owner.limitKey(id, { maxUnits: 20, note: "new" }),
    owner.rotateKey(id, 3_600),
  ]);
  assertEquals([limited.status, rotated.status], [200, 201]);
  const keys: { id: string; limits: KeyLimitsBody }[] = await listKeys();
  const old = keys.find((key) => key.id === id)!;
  assertEquals([old.limits.maxUnits, old.limits.note], [20, "new"]);
  const kept = keys.find((key) => key.id === rotated.body.id)!.limits;
  assert(["10 old", "20 new"].includes(`${kept.maxUnits} ${kept.note}`));
});
