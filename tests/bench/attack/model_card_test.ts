/** The model card says what the benches found. */
import { assert, assertEquals } from "@std/assert";
import { type CostRow, PRICED_TIERS } from "../../../bench/attack/costs.ts";
import { UNSEEN } from "../../../bench/attack/strategy.ts";
import type { Evaluation } from "../../../bench/evaluate/evaluation.ts";
import { REAL_WALLETS } from "../../../services/model/scoring_model.ts";
import { COPY_PRICES, S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { TIER_IDS } from "../../../services/model/score_terms_schema.ts";

const readText = (path: string) =>
  Deno.readTextFile(new URL(`../../../${path}`, import.meta.url));

const CARD = await readText("routes/docs/guides/model-card.md");
const COSTS: readonly CostRow[] = JSON.parse(
  await readText("bench/attack/costs.json"),
);
const FOUND: Evaluation = JSON.parse(
  await readText("bench/evaluate/published.json"),
);

const three = (value: number) => value.toFixed(3);
const percent = (part: number) => `${(100 * part).toFixed(1)} %`;

/** Returns the rows of the table below a heading that start with this cell, without it. */
function rowsOf(first: string): string[][] {
  return CARD.split("\n").map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  ).filter(([cell]) => cell === first).map(([, ...cells]) => cells);
}

/** Whether a row of the card has these cells. */
function assertRow(first: string, cells: string[]): void {
  const rows = rowsOf(first).map((row) => row.join(" | "));
  assert(
    rows.includes(cells.join(" | ")),
    `${first}: ${rows.join(" or ")} instead of ${cells.join(" | ")}`,
  );
}

Deno.test("the card has the figures of the published evaluation, with the hash of its file", () => {
  assertEquals(FOUND.model, S4_2026_3.id);
  assert(CARD.includes(`\`${FOUND.sha256}\``));
  const { all, within } = FOUND.auc;
  assertRow(
    `\`${FOUND.model}\``,
    [all, within].map(({ value, low, high }) =>
      `${three(value)} (${three(low)} to ${three(high)})`
    ),
  );
  const names: Record<string, string> = {
    "legacy": "legacy v1",
    "s4-2026.1": "`s4-2026.1`",
    "s4-2026.2": "`s4-2026.2`",
    "age": "age alone",
    "months of use": "months of use alone",
    "units of gas": "gas alone",
    "own transactions": "number of transactions alone",
  };
  for (const [name, { all, within }] of Object.entries(FOUND.others)) {
    assertRow(names[name]!, [three(all), three(within)]);
  }
  for (const [name, { all, within }] of Object.entries(FOUND.without)) {
    assertRow(name, [three(all), three(within)]);
  }
  for (const dimension of ["activity", "economic"]) {
    assert(CARD.includes(three(FOUND.alone[dimension]!.within)), dimension);
  }
});

Deno.test("the card has the floors with the shares of real wallets, and what a gate lets pass", () => {
  const [honest, fraudulent] = [FOUND.tiers.honest, FOUND.tiers.fraudulent]
    .map((classes) => {
      const counts = classes["10 or more"]!;
      const all = TIER_IDS.reduce((sum, tier) => sum + counts[tier], 0);
      return { counts, all };
    }) as [Counted, Counted];
  for (const tier of TIER_IDS) {
    assertRow(tier, [
      String(S4_2026_3.floors[tier]),
      percent(honest.counts[tier] / honest.all),
      percent(fraudulent.counts[tier] / fraudulent.all),
    ]);
  }
  for (const tier of TIER_IDS.slice(1, -1)) {
    const { honestOfTen, fraudulentOfTen, precision } = FOUND.gates[tier];
    const parts = (of: "passing" | "refused") =>
      `${
        Object.values(precision).map((each) => (100 * each[of]).toFixed(1))
          .join(" / ")
      } %`;
    assertRow(tier, [
      percent(honestOfTen),
      percent(fraudulentOfTen),
      parts("passing"),
      parts("refused"),
    ]);
  }
});

interface Counted {
  readonly counts: Evaluation["tiers"]["honest"][string];
  readonly all: number;
}

Deno.test("score pages compare with the published evaluation", () => {
  const quantiles = REAL_WALLETS.map(([part, composite]) => [
    String(part),
    composite,
  ]);
  assertEquals(Object.fromEntries(quantiles), FOUND.quantiles);
});

Deno.test("the card has the costs that the search found, and the prices of the model", () => {
  for (const gasPrice of [1, 25]) {
    for (const farm of [1, 100]) {
      const cells = PRICED_TIERS.map((tier) => {
        const { usd, days } = COSTS.find((row) =>
          row.gasPrice === gasPrice && row.farm === farm && row.tier === tier
        )!;
        return `${usd!.toFixed(2)} (${days!.toLocaleString("en")})`;
      });
      assertRow(`${gasPrice} nAVAX, ${farm}`, cells);
    }
  }
  const { avax, accounts, github, proofs, donation } = COPY_PRICES;
  const prices: [what: string, ...values: (number | string)[]][] = [
    ["AVAX", avax],
    ["X, Telegram", accounts.x.toFixed(2), accounts.telegram],
    [
      "Discord, e-mail, Farcaster",
      accounts.discord.toFixed(2),
      accounts.email,
      accounts.farcaster.toFixed(2),
    ],
    ["domain", accounts.domain],
    [
      "GitHub: new, 2 years, 6 years",
      github.fresh.toFixed(2),
      github.years2,
      github.years6,
    ],
    ["public work on GitHub", github.work],
    ["World ID", proofs.worldId.toFixed(2)],
    ["Coinbase, Human Passport", proofs.coinbase, proofs.passport],
    ["a withdrawal of its own", UNSEEN.withdrawal.toFixed(2)],
    ["a used wallet: 3, 4 years", UNSEEN.agedWallet, UNSEEN.spentWallet],
    [
      "a donation that comes back",
      `${donation.gas.toLocaleString("en")} units of gas`,
    ],
  ];
  for (const [what, ...values] of prices) {
    assertEquals(rowsOf(what)[0]?.[0], values.join(", "), what);
  }
});
