/** The stored form of a history: small, and without loss. */
import { assert, assertEquals } from "@std/assert";
import {
  packHistory,
  type ScoreHistory,
  type ScorePoint,
  unpackHistory,
} from "../../../services/scores/score_history.ts";
import { TIER_IDS } from "../../../services/model/score_terms_schema.ts";
import { fc } from "../../support/properties.ts";

const points = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100);

/** Points as any model may have made them; days apart, tiers and models at random. */
const histories: fc.Arbitrary<ScoreHistory> = fc.record({
  readAt: fc.integer({ min: 0, max: 2_000_000_000_000 }),
  points: fc.array(
    fc.record({
      step: fc.integer({ min: 1, max: 40 }),
      headline: fc.integer({ min: 0, max: 100 }),
      model: fc.constantFrom("s4-2026.1", "s4-2026.3", "s4-2027.1"),
      tier: fc.constantFrom(...TIER_IDS),
      breakdown: fc.record({
        walletAge: points,
        verifiedSocials: points,
        humanProofs: points,
        txActivity: points,
        followers: points,
        gasSpent: points,
        premium: points,
        paidSlug: points,
        donations: points,
        total: points,
      }, { requiredKeys: ["total", "walletAge", "gasSpent"] }),
      score: fc.option(points, { nil: undefined }),
      isRead: fc.constantFrom(true, undefined),
    }),
    { maxLength: 90 },
  ),
}).map(({ readAt, points }) => {
  let day = 20_000;
  return {
    readAt,
    points: points.map(({ step, score, isRead, ...point }) => ({
      ...point,
      day: day += step,
      ...(score === undefined ? {} : { score }),
      ...(isRead ? { isRead } : {}),
    })) as ScorePoint[],
  };
});

Deno.test("unpackHistory() returns exactly what packHistory() was given", () =>
  fc.assert(fc.property(histories, (history) => {
    assertEquals(unpackHistory(packHistory(history)), history);
  })));

/** Returns the points of ninety days on which every part changes, as the model makes them. */
function ninetyDays(): ScorePoint[] {
  return Array.from({ length: 90 }, (_, nth) => {
    const part = (from: number) => (from + (nth * 37 + from) % 120) / 100;
    const parts = {
      walletAge: part(1_200),
      verifiedSocials: part(300),
      humanProofs: part(700),
      txActivity: part(900),
      followers: part(650),
      gasSpent: part(820),
      premium: part(80),
      paidSlug: part(60),
      donations: part(500),
    };
    const sum = Object.values(parts)
      .reduce((sum, part) => sum + Math.round(part * 100), 0);
    return {
      day: 20_800 + nth,
      headline: Math.round(sum / 100),
      model: "s4-2026.3",
      tier: nth % 9 ? "established" : "elite",
      isRead: true,
      breakdown: { ...parts, total: sum / 100 },
    };
  });
}

Deno.test("ninety days on which every part changes take less than 2,000 bytes with their key", async () => {
  const history = { readAt: 1_795_000_000_000, points: ninetyDays() };
  const packed = packHistory(history);
  assert(packed instanceof Uint8Array);
  assertEquals(unpackHistory(packed), history);
  const key = "score_histories".length + 42 + 4;
  assert(packed.length + key < 1_980, `${packed.length + key} bytes`);
  using kv = await Deno.openKv(":memory:");
  await kv.set(["score_histories", "a"], packed);
  const { value } = await kv.get<Uint8Array<ArrayBuffer>>([
    "score_histories",
    "a",
  ]);
  assertEquals(unpackHistory(value), history);
});

Deno.test("what packing would lose is stored as it is", () => {
  const [point] = ninetyDays() as [ScorePoint];
  const kept = (changed: object) => {
    const history = {
      readAt: 0,
      points: [{ ...point, ...changed } as ScorePoint],
    };
    assertEquals(packHistory(history), history);
  };
  kept({ headline: 42.123 });
  kept({ later: true });
  kept({ breakdown: { ...point.breakdown, later: 1 } });
  kept({ tier: "unheard" });
  kept({ breakdown: { ...point.breakdown, donations: NaN } });
});
