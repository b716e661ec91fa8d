import { assert, assertEquals } from "@std/assert";
import { STORED_METRICS } from "../../../../services/chain_data/catalogue/metrics_schema.ts";
import { queueRead } from "../../../../services/chain_data/series/queued_reads.ts";
import { testDeps } from "../../../support/deps.ts";

Deno.test("queueRead() promises the series of a chain on its own host by the calls of that host", async () => {
  using deps = await testDeps({
    settings: { METRICS_API_URLS: '{"2044":"https://own.test"}' },
  });
  const now = deps.now().getTime();
  for (let nth = 0; nth < 60; nth++) {
    const metric = STORED_METRICS[nth % STORED_METRICS.length]!;
    const subject = 3011 + Math.floor(nth / STORED_METRICS.length);
    await queueRead(deps, { subject, metric }, `192.0.2.${nth}`);
  }
  const place = (subject: number) =>
    queueRead(deps, { subject, metric: "gasUsed" }, "198.51.100.1");
  const [shared, own] = [await place(4337), await place(2044)];
  assertEquals([shared.isPrompt, own.isPrompt], [false, true]);
  assert(own.at - now <= 65_000, `${own.at - now} ms`);
  const late = [];
  for (let nth = 0; nth < 60; nth++) {
    const metric = STORED_METRICS[nth % STORED_METRICS.length]!;
    late.push(await queueRead(deps, { subject: 2044, metric }, "198.51.100.1"));
  }
  const first = late.find(({ isPrompt }) => !isPrompt)!;
  assert(first.at < shared.at, "late places are of the host, too");
});

Deno.test("queueRead() gives a network its prompt place for a series that others have queued late", async () => {
  using deps = await testDeps();
  const ask = (client: string, nth: number) =>
    queueRead(deps, {
      subject: 3011 + Math.floor(nth / STORED_METRICS.length),
      metric: STORED_METRICS[nth % STORED_METRICS.length]!,
    }, client);
  const places = [];
  for (let nth = 0; nth < 30; nth++) places.push(await ask("192.0.2.1", nth));
  const late = places.findIndex(({ isPrompt }) => !isPrompt);
  assert(late > 0, "the places of one network are limited");
  assertEquals(await ask("192.0.2.1", late), places[late]);
  const { isPrompt, at } = await ask("198.51.100.1", late);
  assertEquals(isPrompt, true);
  assertEquals(await ask("192.0.2.1", late), { isPrompt, at });
});
