/** The model card says what the bench found. */
import { assert, assertEquals } from "@std/assert";
import {
  type CostRow,
  FARMS,
  PRICED_TIERS,
} from "../../../bench/attack/costs.ts";
import { movementOf } from "../../../bench/attack/movements.ts";
import { personaSignals } from "../../../bench/attack/personas.ts";
import { SignedAnswer } from "../../../services/attestations/attestations_schema.ts";
import {
  MODEL_TABLES,
  ScoreRead,
} from "../../../services/model/scores_schema.ts";
import {
  BatchAnswer,
  HistoryAnswer,
} from "../../../services/model/score_lists_schema.ts";
import { tablesHashOf } from "../../../services/model/model.ts";
import { S4_2026_1 } from "../../../services/model/s4_2026_1.ts";
import { S4_2026_2 } from "../../../services/model/s4_2026_2.ts";

const readText = (path: string) =>
  Deno.readTextFile(new URL(`../../../${path}`, import.meta.url));

const CARD = await readText("routes/docs/guides/model-card.md");
const COSTS: readonly CostRow[] = JSON.parse(
  await readText("bench/attack/costs.json"),
);

/** Returns the cells of the table row that starts with this cell. */
function cellsOf(first: string): string[] {
  const row = CARD.split("\n").map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  ).find(([cell]) => cell === first);
  assert(row, `no row of ${first}`);
  return row.slice(1);
}

Deno.test("the card's cost bands hold the costs at both gas prices", () => {
  for (const farm of FARMS) {
    const bands = cellsOf(String(farm));
    for (const [nth, tier] of PRICED_TIERS.entries()) {
      const [least, most] = bands[nth]!.split(" to ").map(Number);
      const costs = COSTS.filter((row) =>
        row.farm === farm && row.tier === tier
      );
      assertEquals(costs.length, 2);
      for (const { usd } of costs) {
        const holds = usd !== null && usd >= least! && usd <= most!;
        assert(holds, `${tier}, ${farm} wallets: $${usd} is not ${bands[nth]}`);
      }
    }
  }
});

Deno.test("the card states how the score of every persona changes", () => {
  const signed = (value: number) =>
    value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
  for (const [name, signals] of personaSignals()) {
    const { before, after, tiersLost } = movementOf(signals, {
      before: S4_2026_1,
      after: S4_2026_2,
    });
    const points = Math.round(after.composite - before.composite);
    assertEquals(cellsOf(name), [signed(points), signed(-tiersLost)], name);
  }
});

Deno.test("the hash of the model's tables is the one in the description of every answer's model", () => {
  assertEquals(
    tablesHashOf(S4_2026_2),
    MODEL_TABLES,
    "the tables changed: give the model a new id, or, before its release, update this hash",
  );
  for (const answer of [ScoreRead, BatchAnswer, HistoryAnswer, SignedAnswer]) {
    assert(answer.shape.model.description?.includes(MODEL_TABLES));
  }
});
