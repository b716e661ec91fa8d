/** The check of a deployment, against the service with one thing broken at a time. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import {
  checkDeployed,
  checkPrepared,
  type Prepared,
} from "../../../services/operator/deploy_check.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { breakKv } from "../../support/kv/faulty_kv.ts";
import { succeed } from "../../support/jobs.ts";

const ORIGIN = "https://firn.example";

const PREPARED: Prepared = {
  settingsError: null,
  publicUrl: ORIGIN,
  denoVersion: "2.9.6",
  deploy: { org: "a", app: "b" },
  jobCount: 10,
  storeId: "id",
};

Deno.test("checkPrepared() finds each mistake before a deploy, and no other", () => {
  const wrong = (changed: Partial<Prepared>) =>
    checkPrepared({ ...PREPARED, ...changed })
      .filter(({ problem }) => problem !== null)
      .map(({ problem }) => problem!);
  assertEquals(wrong({}), []);
  assertEquals(wrong({ denoVersion: "2.10.0" }), []);
  const mistakes: [Partial<Prepared>, RegExp][] = [
    [{ settingsError: "invalid PORT" }, /invalid PORT/],
    [{ publicUrl: undefined }, /set PUBLIC_URL/],
    [{ publicUrl: "http://firn.example" }, /https:/],
    [{ denoVersion: "2.4.5" }, /2\.4\.5/],
    [{ denoVersion: "1.46.3" }, /1\.46\.3/],
    [{ deploy: { org: "a" } }, /deploy\.app/],
    [{ jobCount: 11 }, /11/],
    [{ storeId: null }, /store init/],
    [{ storeId: undefined }, /KV_PATH/],
  ];
  for (const [changed, said] of mistakes) {
    const found = wrong(changed);
    assertEquals(found.length, 1, Deno.inspect(changed));
    assertMatch(found[0]!, said);
  }
});

/** The names of all checks that were made. */
const NAMES = new Set<string>();

/** Returns what is wrong with a service, by name. */
async function check(
  deps: TestDeps,
  { broken = {}, answer = (response) => response, origin = ORIGIN }: {
    readonly broken?: Partial<TestDeps>;
    readonly origin?: string;
    readonly answer?: (response: Response, path: string) => Response;
  } = {},
): Promise<Record<string, string>> {
  const app = createApp({ ...deps, publicUrl: origin, ...broken });
  const rows = await checkDeployed({
    origin,
    now: deps.now().getTime(),
    async ask(path, init) {
      const response = answer(
        await app.fetch(new Request(`${origin}${path}`, init)),
        path,
      );
      const { status, headers } = response;
      return { status, headers, text: await response.text() };
    },
  });
  for (const { name } of rows) NAMES.add(name);
  return Object.fromEntries(
    rows.filter(({ problem }) => problem !== null)
      .map(({ name, problem }) => [name, problem!]),
  );
}

/** All that is wrong with a service on simulated sources. */
const SIMULATED = "chain data is live";

Deno.test("checkDeployed() finds each thing that is broken on purpose, and no other", async (t) => {
  using deps = await testDeps({ chains: 2 });
  await succeed(deps, "refresh-chains");
  await createApp(deps).request("/api/chain-data/metrics");
  const well = await check(deps);
  assertEquals(Object.keys(well), [SIMULATED]);
  assertMatch(well[SIMULATED]!, /simulated/);

  const broken = new Set([SIMULATED]);
  const expect = (name: string, said: RegExp, found: Record<string, string>) =>
    t.step(`${name} ${said}`, () => {
      broken.add(name);
      assertEquals(
        Object.keys(found).filter((each) => each !== SIMULATED),
        [name],
      );
      assertMatch(found[name]!, said);
    });
  const local = await check(deps, {
    broken: { publicUrl: "http://localhost:8000" },
  });
  await t.step("without PUBLIC_URL", () => {
    broken.add("links name its address");
    broken.add("people can sign in from its own pages");
    assertMatch(local["links name its address"]!, /localhost.*set PUBLIC_URL/);
    assertMatch(local["people can sign in from its own pages"]!, /CROSS_SITE/);
  });
  await expect(
    "its clock is right",
    /unset FIRN_NOW/,
    await check(deps, {
      broken: { now: () => new Date(deps.now().getTime() + 120_000) },
    }),
  );
  await expect(
    "nothing is left to set",
    /One node alone/,
    await check(deps, {
      broken: { payment: { ...deps.payment, treasury: `0x${"1".repeat(40)}` } },
    }),
  );
  await expect(
    "the database answers, and the version is that of this source",
    /it runs 0\.1\.0/,
    await check(deps, {
      answer: (response, path) =>
        path === "/api/v1/health"
          ? Response.json({
            status: "ok",
            version: "0.1.0",
            time: deps.now().toISOString(),
          })
          : response,
    }),
  );
  await expect(
    "pages carry their security headers",
    /proxy/,
    await check(deps, {
      answer: (response, path) => path === "/" ? new Response("") : response,
    }),
  );
  await expect(
    "its pages are sent over https",
    /give the https address/,
    await check(deps, { origin: "http://firn.example" }),
  );
  const answers: [name: string, path: string, as: Response, said: RegExp][] = [
    [
      "the process answers",
      "/live",
      new Response("the database has no store id", { status: 503 }),
      /503: the database has no store id/,
    ],
    [
      "a key is asked for",
      `/api/v1/score/0x${"1".repeat(40)}`,
      Response.json({}),
      /a score without a key is a 200/,
    ],
  ];
  for (const [name, broke, as, said] of answers) {
    const answer = (response: Response, path: string) =>
      path === broke ? as : response;
    await expect(name, said, await check(deps, { answer }));
  }
  const status = await (await createApp({ ...deps, publicUrl: ORIGIN })
    .request("/status.json")).json();
  const states: [name: string, changed: Record<string, unknown>, RegExp][] = [
    [
      "the status is ok",
      { status: "degraded", reasons: ["the metrics API is old"] },
      /degraded: the metrics API is old/,
    ],
    [
      "jobs run",
      {
        jobs: status.jobs.map((job: object) => ({ ...job, lastRun: null })),
      },
      /no job has run/,
    ],
  ];
  for (const [name, changed, said] of states) {
    const answer = (response: Response, path: string) =>
      path === "/status.json"
        ? Response.json({ ...status, ...changed })
        : response;
    await expect(name, said, await check(deps, { answer }));
  }
  const silent = await check(deps, {
    answer: (response, path) =>
      path.startsWith("/api/chain-data/metrics")
        ? Response.json({ error: "the source is down" }, { status: 503 })
        : response,
  });
  await t.step("chain data is not answered", () => {
    assertEquals(Object.keys(silent), [SIMULATED]);
    assertEquals(silent[SIMULATED], "503: the source is down");
  });
  await t.step("every check is broken once by itself", () => {
    assertEquals([...NAMES].filter((name) => !broken.has(name)), []);
  });
  const dead = await check(deps, {
    answer: () => {
      throw new TypeError("connection refused");
    },
  });
  await t.step("nobody answers", () => {
    assert(Object.keys(dead).length >= 10, Deno.inspect(dead));
    assertMatch(dead["the process answers"]!, /connection refused/);
  });
  const faults = breakKv(deps.kv);
  faults.reads = new Error("gone");
  const lost = await check(deps);
  faults.reads = null;
  await t.step("the database is gone", () => {
    assertMatch(
      lost["the database answers, and the version is that of this source"]!,
      /503.*database assigned/,
    );
    assertMatch(lost["the status is ok"]!, /database/);
    assert("jobs run" in lost);
  });
});

Deno.test("deno task deploy:check refuses an address without http:// or https:// before any request", async () => {
  const refused = ["localhost:8701", "firn.example", ""];
  for (const address of refused) {
    // Without --allow-net: a request would end with another error.
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--no-check", "--no-prompt", "--allow-env", "--allow-read"],
        ...["deploy_check.ts", address],
      ],
      cwd: new URL("../../../", import.meta.url),
      env: { NO_COLOR: "1" },
    }).output();
    const text = new TextDecoder().decode(stderr);
    assertEquals([code, stdout.length], [1, 0], text);
    assertEquals(
      text.trim().split("\n").at(-1),
      "Cannot start: invalid address: expected http:// or https:// and a host, such as https://firn.example",
    );
  }
});
