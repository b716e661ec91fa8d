/** The evaluation on wallets whose truth is known. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertThrows,
} from "@std/assert";
import {
  evaluate,
  type Judge,
  type JudgedModel,
} from "../../../bench/evaluate/evaluation.ts";
import { CURRENT, EARLIER, RULES } from "../../../bench/evaluate/judges.ts";
import {
  isHonest,
  type LabelledWallet,
  readLabelled,
  readLabels,
} from "../../../bench/evaluate/labelled.ts";
import {
  aucOf,
  aucWithin,
  estimate,
  passRate,
  precisionOf,
} from "../../../bench/evaluate/measures.ts";
import { reportOf } from "../../../bench/evaluate/report.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { sha256Hex } from "../../../services/platform/bytes.ts";
import { randomFrom } from "../../support/random.ts";

/** Returns a normally distributed number. */
function normal(random: () => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}

/** A wallet with a transaction on each of the last days before `last`. */
function walletOf(
  list: string,
  last: number,
  { days, payers = 1 }: { days: number; payers?: number },
): LabelledWallet {
  const recentTxAt = Array.from(
    { length: days },
    (_, nth) => last - nth * DAY_MS,
  );
  const firstTxAt = recentTxAt.at(-1) ?? null;
  return {
    address: `0x${"0".repeat(40)}`,
    list,
    firstTxAt,
    recentTxAt,
    nonce: days,
    gas: { eth: days * 0.001, units: days * 21_000 },
    use: {
      days: recentTxAt.map((at) => ({
        day: Math.floor(at / DAY_MS),
        gasAvax: 0.001,
        varied: 1,
      })),
      // What the earlier models read.
      ...{ count: days, months: 1, slots: 1, targets: 1, methods: 1 },
    },
    days25: recentTxAt.map(() => 21_000 * 25e-9),
    received: { firstIn: (firstTxAt ?? last) - 5 * DAY_MS },
    before: {
      count: payers,
      eth: payers,
      amounts: Array.from({ length: payers }, () => 1),
    },
  };
}

const gzip = async (text: string) =>
  new Uint8Array(
    await new Response(
      new Blob([text]).stream().pipeThrough(new CompressionStream("gzip")),
    ).arrayBuffer(),
  );

Deno.test("aucOf() is right to 0.01 where the truth is known, and counts a tie as half of a pair", () => {
  const random = randomFrom(1);
  // Of two normal distributions one apart, the AUC is Φ(1/√2) = 0.7602.
  const scored = Array.from({ length: 40_000 }, (_, nth) => ({
    isHonest: nth % 2 === 0,
    score: normal(random) + Number(nth % 2 === 0),
  }));
  assertAlmostEquals(aucOf(scored), 0.7602, 0.01);
  const some = scored.slice(0, 200)
    .map((one) => ({ ...one, score: Math.round(one.score) }));
  let won = 0;
  for (const honest of some.filter(({ isHonest }) => isHonest)) {
    for (const other of some.filter(({ isHonest }) => !isHonest)) {
      won += (Math.sign(honest.score - other.score) + 1) / 2;
    }
  }
  assertAlmostEquals(aucOf(some), won / 100 / 100, 1e-12);
  assertEquals(aucOf([...some, { isHonest: true, score: NaN }]), NaN);
});

Deno.test("strata weigh by their pairs, and rates and precision equal values computed by hand", () => {
  const of = (honest: number[], others: number[]) => [
    ...honest.map((score) => ({ isHonest: true, score })),
    ...others.map((score) => ({ isHonest: false, score })),
  ];
  // Of 1 pair none is in order, of 4 pairs all: 4 of 5. A stratum of one label has no pairs.
  const strata = [of([1], [2]), of([3, 4], [1, 2]), of([9], [])];
  assertEquals(aucWithin(strata), 0.8);
  assertEquals(aucWithin([of([1], [])]), NaN);
  assertEquals(passRate([1, 2, 3, 4], 3), 0.5);
  const { passing, refused } = precisionOf(
    { honest: 0.5, fraudulent: 0.1 },
    0.2,
  );
  assertAlmostEquals(passing, 0.4 / 0.42, 1e-12);
  assertAlmostEquals(refused, 0.18 / 0.58, 1e-12);
  const coin = Array.from({ length: 400 }, (_, nth) => nth % 2);
  const { value, low, high } = estimate(
    [coin],
    ([some]) => some!.reduce((sum, one) => sum + one, 0) / some!.length,
    { random: randomFrom(3), resamples: 300 },
  );
  // The standard error is 0.025.
  assertEquals(value, 0.5);
  assertAlmostEquals(low, 0.451, 0.01);
  assertAlmostEquals(high, 0.549, 0.01);
});

Deno.test("a file is read with its hash, and a line of another shape is named", async () => {
  const wallet = walletOf("a normal list", Date.UTC(2020, 5, 1), { days: 2 });
  const bytes = await gzip(`${JSON.stringify(wallet)}\n`);
  const file = await readLabelled(bytes);
  assertEquals(file, { sha256: sha256Hex(bytes), wallets: [wallet] });
  const plain = new TextEncoder().encode(JSON.stringify(wallet));
  assertEquals((await readLabelled(plain)).wallets, [wallet]);
  const { days25: _, ...cut } = wallet;
  const lines = [wallet, cut].map((line) => JSON.stringify(line)).join("\n");
  await assertRejects(
    () => readLabelled(new TextEncoder().encode(lines)),
    Error,
    "Invalid line 2",
  );
});

Deno.test("an evaluation scores a day after the last use, and counts by list, stratum, tier and floor", () => {
  const rule: Judge = {
    name: "days",
    scoreOf: ({ use }) => use.days.length,
  };
  // Composites of 10 a day of use: 20 and 120 for honest wallets, 10 and 20 for the others.
  const model: JudgedModel = {
    name: "test",
    floors: {
      starter: 0,
      newcomer: 15,
      rising: 30,
      established: 100,
      elite: 130,
      legendary: 140,
    },
    scoreOf: ({ use, recentTxAt }, now) => {
      if (recentTxAt.length > 0) assertEquals(now, recentTxAt[0]! + DAY_MS);
      return 10 * use.days.length;
    },
    costOf: ({ use }) => use.days.length,
    without: [{ name: "everything", scoreOf: () => 0 }],
    alone: [rule],
  };
  const at = (year: number) => Date.UTC(year, 5, 1);
  const wallets = [
    walletOf("normal", at(2019), { days: 2 }),
    walletOf("normal", at(2020), { days: 12 }),
    walletOf("fraud A", at(2019), { days: 2 }),
    walletOf("fraud A", at(2019), { days: 1 }),
    walletOf("fraud B", at(2020), { days: 2 }),
    walletOf("fraud B", at(2020), { days: 0 }),
  ];
  const options = {
    model,
    others: [rule] as const,
    random: randomFrom(1),
    resamples: 20,
  };
  const result = evaluate("file", { sha256: "hash", wallets }, options);
  // Of six pairs, five are in order, and one is a tie.
  assertAlmostEquals(result.auc.all.value, 5 / 6);
  // Only one pair has a stratum of its own: the tie.
  assertEquals(result.auc.within.value, 0.5);
  assertEquals(result.honest, { normal: 2 });
  assertEquals(result.fraudulent, { "fraud A": 2, "fraud B": 1 });
  assertEquals([result.unused.starter, result.unused.newcomer], [1, 0]);
  assertEquals(result.lists["fraud A"]!.all.value, 3.5 / 4);
  assertEquals(result.lists["fraud B"]!.all.value, 1.5 / 2);
  assertEquals(result.without, { everything: { all: 0.5, within: 0.5 } });
  assertAlmostEquals(result.others["days"]!.all, 5 / 6);
  assertEquals(result.strata, []);
  assertEquals(result.tiers.honest["2 or 3"]!.newcomer, 1);
  assertEquals(result.tiers.honest["10 or more"]!.established, 1);
  assertEquals(result.tiers.fraudulent.all!.starter, 1);
  const { honest, fraudulent, honestOfTen } = result.gates.rising;
  assertEquals([honest, fraudulent, honestOfTen], [0.5, 0, 1]);
  assertEquals(result.quantiles[50], 120);
  assertEquals(result.costs.newcomer, [2, 2, 2]);
  assert(reportOf(result).includes("AUC 0.833"));
  // As of a date, wallets that were used later are left out.
  const { honest: known } = evaluate("file", { sha256: "hash", wallets }, {
    ...options,
    model: { ...model, scoreOf: ({ use }) => use.days.length },
    asOf: at(2019) + DAY_MS,
  });
  assertEquals(known, { normal: 1 });
  assertThrows(
    () =>
      evaluate("file", { sha256: "", wallets: wallets.slice(0, 2) }, options),
    Error,
    "2 honest and 0 fraudulent",
  );
});

Deno.test("a stratum of fifty of each label is compared with the first earlier model", () => {
  const last = Date.UTC(2020, 5, 1);
  const wallets = Array.from(
    { length: 100 },
    (_, nth) =>
      walletOf(nth % 2 === 0 ? "normal" : "fraud", last, {
        days: 10,
        payers: nth % 2 === 0 ? 1 : 9,
      }),
  );
  const { strata, auc, without } = evaluate("file", { sha256: "", wallets }, {
    model: CURRENT,
    others: [...EARLIER, ...RULES],
    random: randomFrom(1),
    resamples: 20,
  });
  // The wallets differ by their payers alone, and only the model in use reads them.
  assertEquals(auc.all.value, 1);
  assertEquals(without["payers before the first use"]!.all, 0.5);
  const [{ year, transactions, honest, earlier, difference }] = strata as [
    typeof strata[number],
  ];
  assertEquals([year, transactions, honest, earlier], [
    2020,
    "10 to 49",
    50,
    0.5,
  ]);
  assertEquals(difference, { value: 0.5, low: 0.5, high: 0.5 });
});

Deno.test("readLabels() reads labels, and names the line that it cannot read", () => {
  const address = `0x${"Aa".repeat(20)}`;
  assertEquals(readLabels(`address,label,list\n${address},fraud,hop\n`), [
    { address: address.toLowerCase(), list: "hop (fraud)", label: "fraud" },
  ]);
  // The label decides, whatever the list is called.
  const [bot] = readLabels(`address,label,list\n${address},fraud,humans\n`);
  assertEquals([isHonest(bot!), isHonest({ list: "humans" })], [false, true]);
  assertThrows(() => readLabels("wallet\n"), Error, 'Invalid header "wallet"');
  assertThrows(
    () => readLabels(`address,label,list\n${address},bot,hop`),
    Error,
    "Invalid line 2",
  );
});
