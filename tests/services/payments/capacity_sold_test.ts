/** A plan is sold while the sources can serve its cold reads. */
import { assertEquals } from "@std/assert";
import { createQuote } from "../../../services/payments/quotes.ts";
import type { QuoteBody } from "../../../services/payments/payments_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { testDeps } from "../../support/deps.ts";

const [ONE, OTHER] = ["1", "2"].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
];

type Plan = "builder" | "growth" | "scale";

Deno.test("a plan is quoted while its cold reads fit beside those of the plans that run", async (t) => {
  const keyed = { EXPLORER_CALLS_PER_DAY: "100000", EXPLORER_API_KEY: "key" };
  const cases: [
    name: string,
    settings: Record<string, string>,
    sold: readonly (readonly [wallet: string, Plan])[],
    plan: Plan | "premium",
    refusal: string | null,
  ][] = [
    ["without a key, Builder", {}, [], "builder", null],
    [
      "without a key, Growth is more than one wallet may read",
      {},
      [],
      "growth",
      "Cannot sell Growth now: it may need 8334 scores of new addresses a day, and the sources allow 5000 more",
    ],
    ["a tenth of it is cold", { COLD_READS_PERCENT: "10" }, [], "scale", null],
    ["with a key", keyed, [], "scale", null],
    [
      "with a key, a second one",
      keyed,
      [[OTHER, "scale"]],
      "scale",
      "Cannot sell Scale now: it may need 50000 scores of new addresses a day, and the sources allow 48000 more",
    ],
    ["an extension", keyed, [[OTHER, "scale"], [ONE, "scale"]], "scale", null],
    ["no plan", {}, [], "premium", null],
    ["the operator allows it", { COLD_READS_PERCENT: "0" }, [], "scale", null],
  ];
  for (const [name, settings, sold, product, refusal] of cases) {
    await t.step(name, async () => {
      using deps = await testDeps({
        settings: {
          COLD_READS_PERCENT: "100",
          TREASURY_ADDRESS: `0x${"7e".repeat(20)}`,
          ...settings,
        },
      });
      const at = deps.now().getTime();
      for (const [wallet, plan] of sold) {
        const paidUntil = at + 30 * DAY_MS;
        await deps.store.payments.grant(wallet, { at, plan, paidUntil });
      }
      const body: QuoteBody = { product, periods: 1 };
      const said = await createQuote(deps, ONE, body).then(
        () => null,
        (error) => error instanceof Fault ? error.message : String(error),
      );
      assertEquals(said, refusal);
    });
  }
});

Deno.test("a quote reads the plans that run, however many have ended, and counts each of them once", async () => {
  using deps = await testDeps({
    settings: {
      COLD_READS_PERCENT: "100",
      TREASURY_ADDRESS: `0x${"7e".repeat(20)}`,
    },
  });
  const { list } = deps.kv;
  let read = 0;
  deps.kv.list = (...args) => {
    const entries = list.apply(deps.kv, args);
    const next = entries.next.bind(entries);
    entries.next = async () => {
      const entry = await next();
      if (!entry.done) read++;
      return entry;
    };
    return entries as never;
  };
  const { payments } = deps.store;
  const grant = (nth: number, days: number, at = deps.now().getTime()) =>
    payments.grant(`0x${String(nth).padStart(40, "0")}`, {
      at,
      plan: "builder",
      paidUntil: at + days * DAY_MS,
    });
  for (let nth = 0; nth < 60; nth++) await grant(nth, 1);
  for (let nth = 100; nth < 110; nth++) await grant(nth, 30);
  // Replaced: it ends later, and is one plan still.
  await grant(109, 40);
  deps.advance(2 * DAY_MS);
  const quote = () =>
    createQuote(deps, ONE, { product: "builder", periods: 1 }).then(
      ({ product }) => product as string,
      (error) => error instanceof Fault ? error.message : String(error),
    );
  read = 0;
  assertEquals(await quote(), "builder", "ten run");
  assertEquals(read, 10);
  await grant(111, 30);
  assertEquals(
    await quote(),
    "Cannot sell Builder now: it may need 834 scores of new addresses a day, and the sources allow 633 more",
  );
  deps.advance(29 * DAY_MS);
  assertEquals(await quote(), "builder", "two run");
});
