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

/** Returns what is wrong with a service, by name. */
async function check(
  deps: TestDeps,
  { broken = {}, answer = (response: Response) => response }: {
    readonly broken?: Partial<TestDeps>;
    readonly answer?: (response: Response, path: string) => Response;
  } = {},
): Promise<Record<string, string>> {
  const app = createApp({ ...deps, publicUrl: ORIGIN, ...broken });
  const rows = await checkDeployed({
    origin: ORIGIN,
    now: deps.now().getTime(),
    async ask(path, init) {
      const response = answer(
        await app.fetch(new Request(`${ORIGIN}${path}`, init)),
        path,
      );
      const { status, headers } = response;
      return { status, headers, text: await response.text() };
    },
  });
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

  const expect = (name: string, said: RegExp, found: Record<string, string>) =>
    t.step(name, () => {
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
