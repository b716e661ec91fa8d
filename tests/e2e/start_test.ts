import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { logged } from "../support/logged.ts";
import {
  freePort,
  startOperator,
  startProgram,
  startService,
  until,
  untilAnswers,
} from "../support/processes/service.ts";

Deno.test("the demo serves simulated data and prints commands that work", async () => {
  const port = freePort();
  await using demo = startProgram(["task", "demo"], { PORT: String(port) });
  const base = `http://localhost:${port}/api/chain-data`;
  await untilAnswers(base, demo);
  const response = await fetch(`${base}/metrics?range=30d`);
  assertEquals(response.status, 200);
  assertMatch((await response.json()).source, /^simulated/);
  await until(demo, () => demo.output().includes("/-/switch"));
  const urls = demo.output().matchAll(/curl '([^']+)'/g).map(([, url]) => url!);
  for (const url of urls) {
    const answer = await fetch(url);
    assertEquals(answer.status, 200, url);
    await answer.body?.cancel();
  }
  const [, key, scored] = demo.output()
    .match(/X-Api-Key: (\S+)'[^]*tools\/score\/(0x\w+)/)!;
  const read = async (url: string) => {
    const answer = await fetch(url, { headers: { "X-Api-Key": key! } });
    return { status: answer.status, ...await answer.json() };
  };
  // The store comes filled.
  const { revisions } = await read(`${base}/revisions`);
  assertEquals(revisions.map(({ cause }: { cause: string }) => cause), [
    "restated",
  ]);
  assert((await read(`${base}/disputes`)).disputes.length > 0);
  const { history } = await read(
    `http://localhost:${port}/api/v1/score/${scored}/history`,
  );
  assertEquals(history.length, 7);
  const site = `http://localhost:${port}`;
  const { release } = await read(`${site}/downloads/index.json`);
  assert(release.signedBy !== null, "the release is signed");
  const ada = await (await fetch(`${site}/profiles/ada`)).text();
  assertMatch(ada.replace(/<[^>]*>/g, " "), /\b2\s+followers/i);
  const chains = await (await fetch(`http://localhost:${port}/chains`)).text();
  assert(!chains.includes("are read so far"));
  assertStringIncludes(
    chains,
    "everything here is simulated",
  );
  const status = await read(`http://localhost:${port}/status.json`);
  assertEquals(status.reasons, [], "nothing is wrong at the start");
  assert(!/^(Download|Warning)/m.test(demo.output()), demo.output());
  // The last command switches an upstream off.
  const [, body, url] = demo.output()
    .match(/curl -X PUT -d '([^']+)' (\S+)/)!;
  const switched = await fetch(url!, { method: "PUT", body: body! });
  assertEquals((await switched.json()).mode, "refuse");
  const refused = `${base}/metrics?metric=maxGps&chainId=432204&range=30d`;
  assertEquals((await read(refused)).status, 200, "the stored days stay");
  // Ctrl-C ends it whole: the service, and the simulation of its sources.
  demo.process.kill("SIGINT");
  await demo.process.status;
  for (const gone of [base, url!]) await assertRejects(() => fetch(gone));
});

Deno.test("without upstreams the service starts, logs that once, and answers 503", async () => {
  const nobody = `http://127.0.0.1:${freePort()}`;
  await using service = await startService({
    KV_PATH: ":memory:",
    TREASURY_ADDRESS: `0x${"71".repeat(20)}`,
    ...settingsOf({
      urls: {
        metricsApi: nobody,
        explorer: nobody,
        cChainRpc: nobody,
        pChainRpc: nobody,
        portal: nobody,
      },
    }),
  });
  const ids: (string | null)[] = [];
  for (let request = 0; request < 5; request++) {
    const response = await fetch(`${service.url}/api/chain-data/metrics`);
    assertEquals(response.status, 503);
    assert(Number(response.headers.get("Retry-After")) > 0);
    await response.body?.cancel();
    ids.push(response.headers.get("X-Request-Id"));
  }
  const lines = service.output().split("\n");
  assertEquals(logged(lines, "service.unready").length, 1, service.output());
  const [warned] = logged(lines, "service.single_node");
  assertStringIncludes(String(warned?.warning), "One node alone decides");
  assertEquals(
    logged(lines, "request.unavailable").map(({ requestId }) => requestId),
    ids,
  );
});

Deno.test("without the Metrics API the service runs its first jobs, and each reports on its own", async () => {
  await using simnet = startSimnet();
  const nobody = `http://127.0.0.1:${freePort()}`;
  const urls = { ...simnet.urls, metricsApi: nobody, explorer: nobody };
  await using service = await startService({
    KV_PATH: ":memory:",
    ...settingsOf({ urls }),
  });
  const hasLogged = (event: "job.ended" | "job.failed", name: string) =>
    logged(service.output().split("\n"), event)
      .some(({ job }) => job === name);
  // The first one needs an upstream that answers, the last one needs none.
  await until(service, () => hasLogged("job.ended", "sample-blocks"));
  assert(hasLogged("job.ended", "snapshot-validators"), service.output());
  assert(hasLogged("job.failed", "cross-check"), service.output());
});

Deno.test("a taken port stops the start, and the demo prints no key", async (t) => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const PORT = String(taken.addr.port);
  const cases: [args: string[], message: string][] = [
    [
      ["run", "-A", "main.ts"],
      `"event":"service.refused","error":"Cannot start: the port of PORT is in use; set another one"}\n`,
    ],
    [["task", "demo"], `Cannot start the demo: port ${PORT} is taken`],
  ];
  for (const [args, message] of cases) {
    await t.step(args.join(" "), async () => {
      const settings = { PORT, KV_PATH: ":memory:" };
      await using program = startProgram(args, settings);
      const { code, output } = await program.finish();
      assertEquals(code, 1);
      assertStringIncludes(output, message);
      assert(!output.includes("curl"), output);
    });
  }
});

Deno.test("a stop answers the requests in progress, records them, and gives the leases of jobs back", async () => {
  await using simnet = startSimnet();
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  await using service = await startService({
    KV_PATH: file,
    ...settingsOf(simnet),
  });
  simnet.switches.metricsApi.set({ mode: "slow", delayMs: 700 });
  // The first jobs call too, the C-Chain first, perhaps before the request arrives.
  const chainId = 432_204;
  const answer = fetch(
    `${service.url}/api/chain-data/metrics?metric=gasUsed&chainId=${chainId}`,
  );
  await until(
    service,
    () =>
      simnet.calls.metricsApi.some(({ path }) =>
        path.includes(`/${chainId}/metrics/gasUsed`)
      ),
  );
  service.process.kill("SIGTERM");
  const response = await answer;
  assertEquals(response.status, 200);
  await response.body?.cancel();
  const { code, output } = await service.finish();
  assertEquals(code, 0, output);
  using kv = await Deno.openKv(file);
  const leases = await Array.fromAsync(kv.list({ prefix: ["job_leases"] }));
  assertEquals(leases, []);
  const days = await Array.fromAsync(
    kv.list<{ requests: number }>({ prefix: ["traffic_days"] }),
  );
  // One request found out that the service had started.
  assertEquals(days.reduce((sum, { value }) => sum + value.requests, 0), 2);
  await Deno.remove(file);
});

Deno.test("two processes on one database give equal answers and share upstream reads", async () => {
  await using simnet = startSimnet();
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  const settings = {
    KV_PATH: file,
    ...settingsOf(simnet),
    FIRN_NOW: new Date().toISOString(),
  };
  await using one = await startService(settings);
  await using other = await startService(settings);
  const ask = async ({ url }: { url: string }, metric: string) => {
    const path = `/api/chain-data/metrics?range=all&metric=${metric}`;
    const response = await fetch(url + path);
    const { series } = await response.json();
    return { status: response.status, series };
  };
  for (const metric of ["txCount", "gasUsed", "maxTps"]) {
    const answers = await Promise.all(
      Array.from(
        { length: 20 },
        (_, index) => ask(index % 2 ? one : other, metric),
      ),
    );
    for (const answer of answers) {
      assertEquals(answer.status, 200);
      assertEquals(answer.series, answers[0]!.series);
    }
  }
  const pages = simnet.calls.metricsApi.filter(({ path }) =>
    path.includes("gasUsed")
  );
  assert(pages.length <= 4, `${pages.length} pages`);
  await Deno.remove(file);
});

Deno.test("the job command runs one job and refuses unknown names", async () => {
  await using simnet = startSimnet();
  const settings = {
    KV_PATH: ":memory:",
    ...settingsOf(simnet),
  };
  const run = async (...args: string[]) => {
    await using program = startOperator(settings, "job", ...args);
    return await program.finish();
  };
  const done = await run("refresh-chains");
  assertEquals(done.code, 0, done.output);
  assertMatch(done.output, /"job":"refresh-chains".*"outcome":"30 chains/);
  const unknown = await run("refresh");
  assertEquals(unknown.code, 2);
  assertMatch(
    unknown.output,
    /expected one of refresh-chains, refresh-series/,
  );
});

Deno.test("forget-series removes a series; invalid arguments and --help print the accepted ones", async () => {
  await using simnet = startSimnet();
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  const settings = { KV_PATH: file, ...settingsOf(simnet) };
  const run = async (...args: string[]) => {
    await using program = startOperator(settings, ...args);
    return await program.finish();
  };
  {
    await using service = await startService(settings);
    const response = await fetch(
      `${service.url}/api/chain-data/metrics?range=30d`,
    );
    await response.body?.cancel();
  }
  assertEquals((await run("forget-series", "43114", "txCount")).code, 0);
  assertEquals((await run("forget-series", "43114", "txCount")).code, 1);
  const bad = await run("forget-series", "43114", "gas");
  assertEquals(bad.code, 2);
  assertMatch(bad.output, /a chain id and one of txCount, activeAddresses/);
  assertMatch((await run("--help")).output, /forget-series <chainId> <metric>/);
  assertEquals((await run("frobnicate")).code, 2);
  await Deno.remove(file);
});

Deno.test("an unfinished import stops the service and the commands that change the store", async (t) => {
  const folder = await Deno.makeTempDir({ prefix: "firn_test_" });
  const KV_PATH = `${folder}/firn.sqlite3`;
  const wallet = `0x${"ab".repeat(20)}`;
  const ledger = ["ledgers", wallet, 0];
  {
    using kv = await Deno.openKv(KV_PATH);
    // The plan of the wallet comes later in the order of keys.
    await kv.atomic().set(["import"], { sha256: "0", isCurrent: false })
      .set(ledger, "imported").commit();
  }
  const starts: Record<string, string[]> = {
    service: ["run", "-A", "main.ts"],
    operator: ["run", "-A", "operator.ts", "plan", "grant", wallet, "scale"],
  };
  for (const [name, args] of Object.entries(starts)) {
    await t.step(name, async () => {
      await using program = startProgram(args, { PORT: "0", KV_PATH });
      const { code, output } = await program.finish();
      assertEquals(code, 1, output);
      const said = name === "service" ? JSON.parse(output).error : output;
      assertEquals(
        said.trim(),
        "Cannot start: the import of a backup is unfinished; run operator import again with the same file",
      );
    });
  }
  {
    using kv = await Deno.openKv(KV_PATH);
    assertEquals((await kv.get(ledger)).value, "imported");
  }
  await Deno.remove(folder, { recursive: true });
});
