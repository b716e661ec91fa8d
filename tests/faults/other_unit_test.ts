/** A source that changes its unit, through the service: the series is served as it was until an operator decides. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import {
  acceptDoubts,
  listDoubts,
  refuseDoubts,
} from "../../services/operator/series_commands.ts";
import { HOUR_MS } from "../../services/platform/days.ts";
import { altered, qualityOf, type Rows } from "../support/altered_sources.ts";
import { runCommand } from "../support/commands.ts";
import type { TestDeps } from "../support/deps.ts";
import { runNamed, succeed } from "../support/jobs.ts";

const DAY_MS = 24 * HOUR_MS;

async function ask(deps: TestDeps, path: string) {
  const response = await createApp(deps).request(path);
  assertEquals(response.status, 200, path);
  return await response.json();
}

const STAKE = {
  path: "/api/chain-data/validators?range=30d",
  name: "validatorWeight of the primary-network",
  series: ["primary-network", "validatorWeight"],
  asked: "/metrics/validatorWeight",
  field: "totalStake",
};
const FEES = {
  path: "/api/chain-data/metrics?metric=feesPaid&range=30d",
  name: "feesPaid of chain 43114",
  series: ["43114", "feesPaid"],
  asked: "/43114/metrics/feesPaid",
  field: "value",
};

for (const { path, name, series, asked, field } of [STAKE, FEES]) {
  Deno.test(`${name} in another unit: served as it was, named, accepted or refused`, async () => {
    const { deps, alter } = await altered({ chains: 3 });
    using _ = deps;
    await succeed(deps, "refresh-chains");
    await succeed(deps, "refresh-series");
    const before = await ask(deps, path);
    const since = Date.parse(before.series.at(-1).day) / 1000;
    alter.rows = (rows: Rows, url) =>
      url.includes(asked)
        ? rows.map((row) =>
          Number(row.timestamp) > since
            ? { ...row, value: Number(row.value) / 1e9 }
            : row
        )
        : rows;
    deps.advance(2 * DAY_MS);
    await succeed(deps, "refresh-series");
    const doubted = await ask(deps, path);
    const last = before.series.at(-1).day;
    assertEquals(doubted.dataThrough, before.dataThrough, "it stands");
    assertEquals(doubted.series.at(-1).day, last);
    assert(doubted.series.at(-1)[field] > 1);
    const [gap] = doubted.gaps;
    assert(gap.from > last, `${gap.from} is after ${last}`);
    assertMatch(gap.reason, /only another unit explains$/);
    const ofQuality = async () => {
      const { doubtedDays, doubtDecisions } = await qualityOf(deps);
      return [doubtedDays, doubtDecisions].map((listed) =>
        listed.filter(({ series }: { series: string }) => series === name)
          .map((
            { reason, decision, accepted }: Record<string, unknown>,
          ) => [reason, decision ?? accepted])
      );
    };
    assertEquals(await ofQuality(), [[["otherUnit", "open"]], []]);
    const reasons = async () =>
      (await ask(deps, "/status.json")).reasons
        .filter((reason: string) => reason.startsWith(name));
    assertMatch((await reasons())[0], /an operator has to decide: /);
    assert(deps.lines.some((line) => line.includes("source.days_doubted")));
    assertMatch((await runCommand(listDoubts, deps)).text, /otherUnit|unit/);

    const decide = (command: typeof acceptDoubts, ...args: string[]) =>
      runCommand(command, deps, ...series, ...args);
    assertEquals((await decide(refuseDoubts)).status, 2, "nobody decides");
    assertEquals((await decide(refuseDoubts, "--by", "ada")).status, 0);
    deps.advance(HOUR_MS);
    await succeed(deps, "refresh-series");
    const refused = await ask(deps, path);
    assertMatch(refused.gaps[0].reason, /the operator does not accept it$/);
    assertEquals(await reasons(), []);
    assertEquals(await ofQuality(), [[["otherUnit", "refused"]], [[
      "otherUnit",
      false,
    ]]]);

    assertEquals((await decide(acceptDoubts, "--by", "ada")).status, 0);
    await runNamed(deps, "refresh-series");
    const accepted = await ask(deps, path);
    assert(accepted.dataThrough > before.dataThrough);
    assertEquals(await ofQuality(), [[], [["otherUnit", true]]]);
    const [subject, metric] = series;
    const found = await deps.store.series.find(
      { subject: Number(subject) || subject, metric } as never,
    );
    assertEquals(
      found!.decisions!.map(({ by, isAccepted }) => [by, isAccepted]),
      [
        ["ada", true],
      ],
    );
  });
}

Deno.test("a source that takes its change back is believed again", async () => {
  const { deps, alter } = await altered({ chains: 3 });
  using _ = deps;
  await succeed(deps, "refresh-chains");
  await succeed(deps, "refresh-series");
  const before = await ask(deps, FEES.path);
  alter.rows = (rows, url) =>
    url.includes(FEES.asked)
      ? rows.map((row) => ({ ...row, value: Number(row.value) * 1e18 }))
      : rows;
  deps.advance(HOUR_MS);
  await succeed(deps, "refresh-series");
  const doubted = await ask(deps, FEES.path);
  assertEquals(
    doubted.series,
    before.series,
    "complete days keep their values",
  );
  const ofFees = async () =>
    (await qualityOf(deps)).doubtedDays
      .filter(({ series }: { series: string }) => series === FEES.name);
  assert((await ofFees()).length > 0);
  alter.rows = null;
  deps.advance(DAY_MS);
  await succeed(deps, "refresh-series");
  assertEquals(await ofFees(), []);
});
