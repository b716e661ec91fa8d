/** The scoring API described for machines, its health, and OpenAPI of both surfaces. */
import { assert, assertEquals } from "@std/assert";
import { FakeTime } from "@std/testing/time";
import { createApp } from "../../../routes/app.ts";
import {
  HealthAnswer,
  ScoringAnswer,
} from "../../../routes/scores/scoring_api.ts";
import { REASON_CODES } from "../../../services/model/reasons_schema.ts";
import { METERED } from "../../../services/payments/plans_schema.ts";
import { askScoring, enrol } from "../../support/callers.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

/** Dependencies whose database answers a ping in some way. */
function pinging(deps: TestDeps, ping: () => Promise<void>): TestDeps {
  return { ...deps, store: { ...deps.store, ping } };
}

// deno-lint-ignore no-explicit-any -- a document of any shape.
type Json = any;

Deno.test("GET /api/v1 needs no key and describes plans, tiers, reasons, flags and limits", async () => {
  using deps = await testDeps();
  for (const path of ["", "/"]) {
    const answer = await createApp(deps).request(`/api/v1${path}`);
    await answer.body?.cancel();
    assert(answer.status < 400, path);
  }
  const { status, body, headers } = await askScoring(deps, "");
  assertEquals(status, 200);
  assertEquals(ScoringAnswer.parse(body), body);
  assertEquals(headers.get("Cache-Control"), "private, max-age=300");
  assert(headers.get("X-Request-Id"));
  assertEquals(
    body.plans.map((plan: Json) => [
      plan.plan,
      plan.label,
      plan.requestsPer30Days,
      plan.priceUsdc,
      plan.includes.join(" and "),
    ]),
    [
      ["free", "Free", 2_500, "0.00", "single-address scoring"],
      [
        ...["builder", "Builder", 25_000, "49.00"],
        "batch screening and 90-day history",
      ],
      ["growth", "Growth", 250_000, "249.00", "signed attestations"],
      ["scale", "Scale", 1_500_000, "999.00", "everything, at volume"],
    ],
  );
  assertEquals(body.tiers.map(({ tier, index }: Json) => [tier, index]), [
    ["starter", 0],
    ["newcomer", 1],
    ["rising", 2],
    ["established", 3],
    ["elite", 4],
    ["legendary", 5],
  ]);
  assertEquals(body.reasons.map(({ code }: Json) => code), REASON_CODES);
  assertEquals(body.flags.map(({ flag }: Json) => flag), [
    "follow_ring",
    "follower_burst",
    "thin_followers",
    "self_donation",
  ]);
  assertEquals(body.bands.map(({ band, label }: Json) => [band, label]), [
    ["high", "High confidence"],
    ["medium", "Medium confidence"],
    ["low", "Low confidence"],
    ["minimal", "Minimal confidence"],
  ]);
  assertEquals(body.limits, {
    batchAddresses: 50,
    historyDays: 90,
    bursts: {
      single: { requests: 60, perSeconds: 60 },
      batch: { requests: 10, perSeconds: 60 },
    },
    signalCacheHours: 24,
    openRequestsPerMinute: 6_000,
  });
  const { enabled, signer } = body.attestation;
  assertEquals([enabled, signer], [false, null]);
});

Deno.test("GET /api/v1 answers for programs every row of the catalogues that /docs/reasons shows", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const { body } = await askScoring(deps, "");
  const source = await (await app.request("/docs/reasons.md")).text();
  const rows = source.matchAll(/^\| (.+) \|$/gm)
    .map(([, cells]) => cells!.replaceAll("`", "").split(" | "))
    .filter(([first]) => !/^(code|flag|index|band|-+)$/.test(first!));
  const said = [
    ...body.reasons.map(({ code, kind, dimension, title, detail }: Json) => [
      code,
      kind,
      dimension,
      title,
      detail,
    ]),
    ...body.flags.map(({ flag, meaning }: Json) => [flag, meaning]),
    ...body.tiers.map(({ index, tier, label }: Json) => [
      String(index),
      tier,
      label,
    ]),
    ...body.bands.map(({ band, label, detail }: Json) => [band, label, detail]),
  ];
  assertEquals(said, [...rows]);
});

Deno.test("thresholds are in no published text", async () => {
  using deps = await testDeps();
  const { body } = await askScoring(deps, "");
  for (const { title, detail } of [...body.reasons, ...body.bands]) {
    assert(!/\d/.test(`${title} ${detail}`), detail);
  }
  for (const tier of body.tiers) {
    assertEquals(Object.keys(tier), ["tier", "label", "index"]);
  }
});

Deno.test("every listed endpoint exists, and needs the key and plan that it is listed with", async (t) => {
  using deps = await testDeps();
  const { body } = await askScoring(deps, "");
  const address = `0x${"12".repeat(20)}`;
  for (const { method, path, plan } of body.endpoints) {
    // The badge is an image, and has its own tests.
    if (!path.startsWith("/api/v1")) continue;
    await t.step(`${method} ${path}`, async () => {
      const url = path.replace("{address}", address).replace("/api/v1", "");
      const { status } = await askScoring(deps, url, { method });
      assertEquals(status, plan === null ? 200 : 401);
      if (plan === null) return;
      const { ask } = await enrol(deps);
      const free = await ask(url, { method });
      assertEquals(free.status === 402, plan !== METERED.score.plan);
    });
  }
});

Deno.test("every error code that is answered is in the catalogue", async () => {
  using deps = await testDeps();
  const { body } = await askScoring(deps, "");
  const { ask } = await enrol(deps);
  const answers = [
    await askScoring(deps, "/usage"),
    await ask("/score/x"),
    await ask("/score/batch", { method: "POST" }),
    await ask("/nothing"),
    await ask("/usage", { method: "PUT" }),
  ];
  for (const answer of answers) {
    assert(body.errorCodes.includes(answer.body.code), answer.text);
  }
});

Deno.test("health is ok with 200 while the database answers", async () => {
  using deps = await testDeps();
  const { status, body, headers } = await askScoring(deps, "/health");
  assertEquals(status, 200);
  assertEquals(HealthAnswer.parse(body), body);
  assertEquals(body, {
    status: "ok",
    version: "1.0.0",
    db: "ok",
    time: deps.now().toISOString(),
  });
  assertEquals(headers.get("Cache-Control"), "no-store");
});

Deno.test("health is degraded with 503 if the database fails", async () => {
  using deps = await testDeps();
  const failing = pinging(deps, () => Promise.reject(new Error("secret")));
  const { status, body, text } = await askScoring(failing, "/health");
  assertEquals(status, 503);
  assertEquals([body.status, body.db], ["degraded", "unreachable"]);
  assert(!text.includes("secret"));
});

Deno.test("the process is live whether or not the database answers", async () => {
  using deps = await testDeps();
  deps.kv.get = () => Promise.reject(new Error("gone"));
  const app = createApp(deps);
  const response = await app.request("/live");
  assertEquals(response.status, 200);
  assertEquals(await response.json(), { status: "ok" });
  assertEquals(response.headers.get("Cache-Control"), "no-store");
});

Deno.test("health waits a second for the database, and not longer", async () => {
  using deps = await testDeps();
  using time = new FakeTime();
  const silent = pinging(deps, () => Promise.withResolvers<void>().promise);
  let status = 0;
  const asked = askScoring(silent, "/health")
    .then((answer) => status = answer.status);
  await time.tickAsync(999);
  assertEquals(status, 0);
  await time.tickAsync(1);
  await asked;
  assertEquals(status, 503);
});

Deno.test("OpenAPI 3.1 describes every route of both surfaces", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const response = await app.request("/openapi.json");
  assertEquals(response.status, 200);
  const document = await response.json();
  assertEquals(document.openapi, "3.1.0");
  assert(document.info.title && document.info.version);
  const described = Object.entries<Json>(document.paths)
    // Their routes match file names by one pattern each; the walk asks for each.
    .filter(([path]) => !/^\/(card|chart|downloads|embed)\//.test(path))
    .flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`)
    );
  // This description, and what a page loads.
  const others = [
    "/openapi.json",
    "/docs/search.json",
  ];
  const registered = app.routes
    // Pages and the files that they load are for people.
    .filter(({ method, path }) =>
      method !== "ALL" && !others.includes(path) &&
      !path.endsWith(".txt") &&
      /^\/(api|\.well-known)\/|^\/live$|\.json$/.test(path)
    )
    .map(({ method, path }) =>
      `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`
    );
  assertEquals(described.sort(), [...new Set(registered)].sort());
  for (const base of ["/api/chain-data", "/api/v1"]) {
    assert(described.some((route) => route.includes(base)), base);
  }
});
