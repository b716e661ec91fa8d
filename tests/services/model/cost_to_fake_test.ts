/** What a copy of an address's evidence would cost, worked out by hand from the prices. */
import { assertEquals } from "@std/assert";
import { costToFake } from "../../../services/model/cost_to_fake.ts";
import {
  NO_CHAIN,
  NO_GRAPH,
  NO_PROFILE,
} from "../../../services/model/signals.ts";
import { DAY_MS } from "../../../services/platform/days.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const NOTHING = { chain: NO_CHAIN, profile: NO_PROFILE, graph: NO_GRAPH };

const days = (count: number, gasUnits: number, varied = 1) =>
  Array.from({ length: count }, (_, day) => ({ day: -day, gasUnits, varied }));

const chain = (count: number, gasUnits: number, varied = 1) => ({
  ...NO_CHAIN,
  firstTxAt: NOW - 99.5 * DAY_MS,
  use: { count, days: days(count, gasUnits, varied) },
});

Deno.test("an address without evidence costs nothing to copy", () => {
  assertEquals(costToFake(NOTHING, NOW), {
    usd: 0,
    of: 100,
    alone: 0,
    days: 0,
    asOf: "2026-11",
  });
});

Deno.test("gas costs its units, at least a transfer for each transaction", () => {
  const of = (...args: Parameters<typeof chain>) =>
    costToFake({ ...NOTHING, chain: chain(...args) }, NOW);
  // 100 million units at 1 nAVAX and 20 USD an AVAX.
  const busy = of(100, 1_000_000);
  assertEquals([busy.usd, busy.alone, busy.days], [2, 2, 100]);
  // What does not count costs nothing: 200 million units at most.
  assertEquals(of(300, 9_000_000).alone, 4);
  // 1,000 transactions of 21,000.
  assertEquals(of(1, 0, 1_000).alone, 0.42);
});

Deno.test("accounts, proofs, purchases and donations cost what the price list says", () => {
  const alone = (profile: Partial<typeof NO_PROFILE>) =>
    costToFake({ ...NOTHING, profile: { ...NO_PROFILE, ...profile } }, NOW)
      .alone;
  const verifiedAt = NOW;
  const gitHub = (years: number, publicWork: number) =>
    alone({
      socials: [{
        kind: "github",
        verifiedAt,
        account: { createdAt: NOW - years * 365 * DAY_MS, publicWork },
      }],
    });
  assertEquals(alone({ socials: [{ kind: "github", verifiedAt }] }), 0.3);
  assertEquals([gitHub(1.9, 0), gitHub(2, 30), gitHub(6, 600)], [0.3, 2.5, 9]);
  assertEquals(
    alone({
      socials: [{ kind: "domain", verifiedAt }, { kind: "x", verifiedAt }],
      proofs: [{ kind: "worldId", strength: 1, until: Infinity }],
    }),
    1.6,
  );
  const proofs = (["coinbase", "worldId", "passport"] as const)
    .map((kind) => ({ kind, strength: 1, until: NOW + 1 }));
  assertEquals(alone({ proofs }), 0.5, "one counts: the cheaper of the equal");
  assertEquals(alone({ proofs: proofs.slice(0, 1) }), 5);
  assertEquals(
    alone({ proofs: proofs.map((proof) => ({ ...proof, until: NOW })) }),
    0,
  );
  assertEquals(alone({ premiumMonths: 15, paidSlug: true }), 133);
  // The money comes back: two transfers of USDC are less than a cent.
  assertEquals(alone({ donatedUsdc: 1_000 }), 0);
});

Deno.test("followers cost their gas, less what the members of a farm give each other", () => {
  const graph = { ...NO_GRAPH, sharedPaidMass: 100 };
  const found = costToFake({ ...NOTHING, chain: chain(40, 1e6), graph }, NOW);
  // 100 followers of two million units cost 4 USD; members with 40 million replace 20.
  assertEquals([found.alone, found.usd], [4.8, 4]);
  const pair = costToFake({ ...NOTHING, chain: chain(40, 1e6), graph }, NOW, 2);
  // The other member follows a half of the farm at most.
  assertEquals([pair.of, pair.usd], [2, 4.78]);
});
