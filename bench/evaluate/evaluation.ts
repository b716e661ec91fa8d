/** Evaluates a scoring model on labelled wallets, beside earlier models and simple rules. */
import { DAY_MS } from "../../services/platform/days.ts";
import {
  TIER_IDS,
  type TierId,
} from "../../services/model/score_terms_schema.ts";
import { type TierFloors, tierOf } from "../../services/model/scoring_model.ts";
import {
  isHonest,
  type LabelledFile,
  type LabelledWallet,
} from "./labelled.ts";
import {
  aucOf,
  aucWithin,
  type Estimate,
  estimate,
  passRate,
  precisionOf,
} from "./measures.ts";

/** Orders wallets: a model, or a rule of one line. */
export interface Judge {
  readonly name: string;
  /** Higher is more likely honest; `now` is epoch ms. */
  readonly scoreOf: (wallet: LabelledWallet, now: number) => number;
}

/** The model that is evaluated. Its scores are composites. */
export interface JudgedModel extends Judge {
  readonly floors: TierFloors;
  /** What the evidence of a wallet would cost to copy, in US dollars a wallet of a farm. */
  readonly costOf: (wallet: LabelledWallet, now: number) => number;
  /** The same model without one dimension or signal. */
  readonly without: readonly Judge[];
  /** One dimension or signal of the model for itself. */
  readonly alone: readonly Judge[];
}

/** AUC among all wallets, and within strata. */
interface Aucs {
  readonly all: number;
  readonly within: number;
}

/** A stratum: wallets of one year of last use and one class of own transactions. */
interface Stratum {
  readonly year: number;
  readonly transactions: string;
  readonly honest: number;
  readonly fraudulent: number;
  readonly auc: number;
  /** Of the first earlier model. */
  readonly earlier: number;
  /** The difference of the two, on the same resamples. */
  readonly difference: Estimate;
}

/** How a gate at the floor of a tier works. */
interface Gate {
  readonly floor: number;
  /** Shares that pass: of all with own transactions, and of those with ten or more. */
  readonly honest: number;
  readonly fraudulent: number;
  readonly honestOfTen: number;
  readonly fraudulentOfTen: number;
  /** By share of fraudulent wallets among those that come, in percent; of those with ten or more. */
  readonly precision: Readonly<
    Record<string, { readonly passing: number; readonly refused: number }>
  >;
}

/** The result of an evaluation. */
export interface Evaluation {
  readonly file: string;
  readonly sha256: string;
  readonly asOf: string;
  readonly model: string;
  /** Wallets with own transactions of each list. */
  readonly honest: Readonly<Record<string, number>>;
  readonly fraudulent: Readonly<Record<string, number>>;
  /** Wallets without an own transaction by tier; no AUC counts them. */
  readonly unused: Readonly<Record<TierId, number>>;
  readonly auc: { readonly all: Estimate; readonly within: Estimate };
  /** Each list against all lists of the other label. */
  readonly lists: Readonly<
    Record<string, { readonly all: Estimate; readonly within: number }>
  >;
  readonly strata: readonly Stratum[];
  /** Earlier models and simple rules. */
  readonly others: Readonly<Record<string, Aucs>>;
  readonly without: Readonly<Record<string, Aucs>>;
  readonly alone: Readonly<Record<string, Aucs>>;
  /** Wallets by label, class of own transactions and tier. */
  readonly tiers: Readonly<
    Record<"honest" | "fraudulent", Readonly<Record<string, Counts>>>
  >;
  readonly gates: Readonly<Record<TierId, Gate>>;
  /** Cost to fake of all wallets in a tier, in US dollars: the tenth, the middle and the ninetieth of a hundred. */
  readonly costs: Readonly<Record<TierId, readonly number[]>>;
  /** Composite below which these shares of honest wallets with ten or more transactions stand. */
  readonly quantiles: Readonly<Record<string, number>>;
}

type Counts = Readonly<Record<TierId, number>>;

/** Classes of own transactions, by the lowest number. */
const CLASSES: readonly (readonly [least: number, name: string])[] = [
  [1, "one"],
  [2, "2 or 3"],
  [4, "4 to 9"],
  [10, "10 to 49"],
  [50, "50 or more"],
];

/** Shares of fraudulent wallets among those that come, in percent. */
const PREVALENCES = [1, 5, 20];

const QUANTILES = [5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99];

/** Wallets of each label that a stratum needs to be listed. */
const LISTED = 50;

/** Wallets are judged once; measures read the rows. */
interface Row {
  readonly wallet: LabelledWallet;
  readonly now: number;
  readonly isHonest: boolean;
  readonly year: number;
  readonly transactions: string;
  readonly score: number;
}

/**
 * Evaluates a model. Each wallet is scored a day after its last own transaction, or all at
 * `asOf`, epoch ms: then later use is not known, so wallets that have some are left out.
 */
export function evaluate(
  name: string,
  { sha256, wallets }: LabelledFile,
  { model, others, asOf = null, random, resamples = 300 }: {
    readonly model: JudgedModel;
    /** The first one is compared in each stratum. */
    readonly others: readonly [Judge, ...Judge[]];
    readonly asOf?: number | null;
    /** From 0 up to 1. */
    readonly random: () => number;
    readonly resamples?: number;
  },
): Evaluation {
  const bootstrap = { random, resamples };
  const rows = wallets.flatMap((wallet): Row[] => {
    const [last] = wallet.recentTxAt;
    const now = asOf ?? (last === undefined ? 0 : last + DAY_MS);
    if (last === undefined || last > now) return [];
    return [{
      wallet,
      now,
      isHonest: isHonest(wallet),
      year: new Date(last).getUTCFullYear(),
      transactions: CLASSES.findLast(([least]) => wallet.nonce >= least)?.[1] ??
        "one",
      score: model.scoreOf(wallet, now),
    }];
  });
  const strata = groupsOf(rows, (row) => `${row.year} ${row.transactions}`);
  const honest = rows.filter(({ isHonest }) => isHonest);
  const fraudulent = rows.filter(({ isHonest }) => !isHonest);
  if (honest.length === 0 || fraudulent.length === 0) {
    throw new Error(
      `Cannot evaluate ${name}: ${honest.length} honest and ${fraudulent.length} fraudulent wallets have own transactions`,
    );
  }
  const aucsOf = (judge: Judge): Aucs => ({
    all: aucOf(rows.map((row) => judged(row, judge))),
    within: aucWithin(
      strata.map((some) => some.map((row) => judged(row, judge))),
    ),
  });
  const all = ([some]: readonly (readonly Row[])[]) => aucOf(some!);
  const many = rows.filter(({ wallet }) => wallet.nonce >= 10);
  const [earlier] = others;
  return {
    file: name,
    sha256,
    asOf: asOf === null
      ? "a day after the last own transaction"
      : new Date(asOf).toISOString(),
    model: model.name,
    honest: countBy(honest, ({ wallet }) => wallet.list),
    fraudulent: countBy(fraudulent, ({ wallet }) => wallet.list),
    unused: tiersOf(
      wallets.filter(({ recentTxAt }) => recentTxAt.length === 0)
        .map((wallet) => model.scoreOf(wallet, asOf ?? Date.UTC(2026, 0))),
      model.floors,
    ),
    auc: {
      all: estimate([rows], all, bootstrap),
      within: estimate(strata, aucWithin, bootstrap),
    },
    lists: Object.fromEntries(
      groupsOf(rows, ({ wallet }) => wallet.list).map((list) => {
        const [{ isHonest, wallet }] = list as [Row];
        const both = [...list, ...isHonest ? fraudulent : honest];
        return [wallet.list, {
          all: estimate([both], all, bootstrap),
          within: aucWithin(
            groupsOf(both, (row) => `${row.year} ${row.transactions}`),
          ),
        }];
      }),
    ),
    strata: strata.map((some) => stratumOf(some, earlier, bootstrap))
      .filter(({ honest, fraudulent }) =>
        Math.min(honest, fraudulent) >= LISTED
      ),
    others: recordOf(others, aucsOf),
    without: recordOf(model.without, aucsOf),
    alone: recordOf(model.alone, aucsOf),
    tiers: {
      honest: tiersByClass(honest, model.floors),
      fraudulent: tiersByClass(fraudulent, model.floors),
    },
    gates: Object.fromEntries(
      TIER_IDS.map((tier) => [tier, gateAt(model.floors[tier], rows, many)]),
    ) as Record<TierId, Gate>,
    costs: Object.fromEntries(
      TIER_IDS.map((tier) => {
        const some = rows.filter(({ score }) =>
          tierOf(Math.round(score), model.floors).tier === tier
        );
        const costs = some.map(({ wallet, now }) => model.costOf(wallet, now));
        return [tier, Object.values(quantilesOf(costs, [10, 50, 90]))];
      }),
    ) as Record<TierId, number[]>,
    quantiles: quantilesOf(
      many.filter(({ isHonest }) => isHonest).map(({ score }) => score),
      QUANTILES,
    ),
  };
}

function judged({ wallet, now, isHonest }: Row, { scoreOf }: Judge) {
  return { isHonest, score: scoreOf(wallet, now) };
}

function stratumOf(
  rows: readonly Row[],
  earlier: Judge,
  bootstrap: { readonly random: () => number; readonly resamples: number },
): Stratum {
  const pairs = rows.map((row) => ({
    isHonest: row.isHonest,
    score: row.score,
    before: judged(row, earlier),
  }));
  type Pairs = readonly (readonly (typeof pairs)[number][])[];
  const before = ([some]: Pairs) => aucOf(some!.map(({ before }) => before));
  const { year, transactions } = rows[0]!;
  const honest = rows.filter(({ isHonest }) => isHonest).length;
  return {
    year,
    transactions,
    honest,
    fraudulent: rows.length - honest,
    auc: aucOf(pairs),
    earlier: before([pairs]),
    difference: estimate(
      [pairs],
      (some) => aucOf(some[0]!) - before(some),
      bootstrap,
    ),
  };
}

/** The gate at a floor. The headline is the rounded composite. */
function gateAt(
  floor: number,
  rows: readonly Row[],
  many: readonly Row[],
): Gate {
  const rate = (some: readonly Row[], isHonest: boolean) =>
    passRate(
      some.filter((row) => row.isHonest === isHonest).map(({ score }) =>
        Math.round(score)
      ),
      floor,
    );
  const ofTen = { honest: rate(many, true), fraudulent: rate(many, false) };
  return {
    floor,
    honest: rate(rows, true),
    fraudulent: rate(rows, false),
    honestOfTen: ofTen.honest,
    fraudulentOfTen: ofTen.fraudulent,
    precision: Object.fromEntries(
      PREVALENCES.map((percent) => [
        percent,
        precisionOf(ofTen, percent / 100),
      ]),
    ),
  };
}

function tiersByClass(
  rows: readonly Row[],
  floors: TierFloors,
): Record<string, Counts> {
  const scoresOf = (some: readonly Row[]) => some.map(({ score }) => score);
  return Object.fromEntries([
    ...CLASSES.map(([, name]) => [
      name,
      tiersOf(
        scoresOf(rows.filter(({ transactions }) => transactions === name)),
        floors,
      ),
    ]),
    ["all", tiersOf(scoresOf(rows), floors)],
    [
      "10 or more",
      tiersOf(
        scoresOf(rows.filter(({ wallet }) => wallet.nonce >= 10)),
        floors,
      ),
    ],
  ]);
}

function tiersOf(scores: readonly number[], floors: TierFloors): Counts {
  const tiers = scores.map((score) => tierOf(Math.round(score), floors).tier);
  return Object.fromEntries(
    TIER_IDS.map((tier) => [
      tier,
      tiers.filter((one) => one === tier).length,
    ]),
  ) as Record<TierId, number>;
}

/** Returns the values below which these percentages stand; none without values. */
function quantilesOf(
  values: readonly number[],
  percentages: readonly number[],
): Record<string, number> {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return {};
  return Object.fromEntries(
    percentages.map((percent) => [
      percent,
      sorted[Math.floor(percent / 100 * sorted.length)]!,
    ]),
  );
}

function groupsOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Item[][] {
  return [...Map.groupBy(items, keyOf)].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([, group]) => group);
}

function countBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Record<string, number> {
  return Object.fromEntries(
    groupsOf(items, keyOf).map((group) => [keyOf(group[0]!), group.length]),
  );
}

function recordOf(
  judges: readonly Judge[],
  valueOf: (judge: Judge) => Aucs,
): Record<string, Aucs> {
  return Object.fromEntries(
    judges.map((judge) => [judge.name, valueOf(judge)]),
  );
}
