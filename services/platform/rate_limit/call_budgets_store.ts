/** Call budgets in KV, shared by all processes. */
import {
  admitShared,
  type BudgetCounts,
  type CallCounts,
  type Limit,
  NO_CALLS,
  type Requester,
  SERVICE,
  type SharedAdmission,
  type SharedBudget,
  UNSHARED,
  usedOf,
} from "./call_budget.ts";
import type { Clock } from "../clock.ts";
import { checkAndSet } from "../kv/commit.ts";
import { type ReadKey, rememberedRecords, sharedReads } from "../kv/reads.ts";
import type { StoredRecords } from "../kv/store_rule.ts";
import { DAY_MS } from "../days.ts";
import { maxOf } from "../numbers.ts";

/** Keys. */
const keys = {
  /** The recent calls to an upstream, or the recent changes of a client or wallet. */
  budget: (name: string) => ["budgets", name],
};

/** Budgets of wallets, networks and upstreams whose last records a process remembers. */
const MAX_REMEMBERED = 2_000;

/** Parties whose counts one transaction reads, besides the count of all: ten keys are one round. */
const MAX_PARTIES = 9;

/** Call budgets in a store. */
export function budgetStore(kv: Deno.Kv, read: ReadKey = sharedReads(kv)) {
  const remembered = rememberedRecords(MAX_REMEMBERED);

  /**
   * Takes calls for requesters one after the other, in one commit. That is one round if
   * this process was the last to write the budget and those of the parties; else two.
   * Each attempt asks the clock, because other calls pass while this one waits for the
   * database.
   */
  function takeInTurn(
    budget: SharedBudget,
    requesters: readonly Requester[],
    clock: Clock,
    wanted = 1,
  ): Promise<SharedAdmission[]> {
    const names = [
      ...new Set(
        requesters.flatMap(({ parties }) => parties.map(({ name }) => name)),
      ),
    ];
    const key = keys.budget(budget.name);
    const partyKeys = names.map((name) => partyKey(budget.name, name));
    const options = { expireIn: lifeOf(budget.limits) };
    return checkAndSet<CallCounts, SharedAdmission[]>(
      kv,
      key,
      (entry, parties) => {
        remembered.compare(entry);
        const now = clock.now().getTime();
        let all = countsIn(entry);
        const ofParties = new Map(
          names.map((name, nth) => [name, countsIn(parties[nth]!)]),
        );
        const changed = new Set<string>();
        const admissions = requesters.map((requester) => {
          const own = requester.parties.map(({ name }) => name);
          const counts = {
            all,
            parties: own.map((name) => ofParties.get(name)!),
          };
          const admission = admitShared(counts, budget, requester, {
            now,
            wanted,
          });
          if (!admission.allowed) return admission;
          all = admission.counts.all;
          for (const [nth, name] of own.entries()) {
            ofParties.set(name, admission.counts.parties[nth]!);
            changed.add(name);
          }
          return admission;
        });
        if (!admissions.some(({ allowed }) => allowed)) {
          return { value: admissions };
        }
        const written = [
          [key, all] as const,
          ...[...changed].map((name) =>
            [partyKey(budget.name, name), ofParties.get(name)!] as const
          ),
        ];
        return {
          value: admissions,
          // A wallet's cached count can be older than the budget's, so both versions are checked.
          write: (atomic) =>
            written.reduce(
              (atomic, [key, counts]) => atomic.set(key, counts, options),
              // deno-lint-ignore firn/spread-arguments -- nine at most
              atomic.check(...parties),
            ),
          onCommit: (versionstamp) =>
            remembered.putWritten(written, versionstamp),
        };
      },
      { also: partyKeys, known: remembered.find([key, ...partyKeys]) },
    );
  }

  return {
    /** Takes one call from a budget that nobody shares, or returns the wait. */
    take: async (
      name: string,
      limits: readonly Limit[],
      clock: Clock,
    ): Promise<SharedAdmission> =>
      (await takeInTurn({ name, limits, shares: UNSHARED }, [SERVICE], clock))[
        0
      ]!,

    /**
     * Takes a call from a shared budget for a requester, or returns the wait. If
     * several are wanted, takes those that are available.
     */
    takeShared: async (
      budget: SharedBudget,
      requester: Requester,
      clock: Clock,
      wanted: number = 1,
    ): Promise<SharedAdmission> =>
      (await takeInTurn(budget, [requester], clock, wanted))[0]!,

    /**
     * Takes a call for each of some requesters in one commit, as many of the first ones
     * as fit, or returns the waits: each is decided after the ones before it.
     */
    takeEach(
      budget: SharedBudget,
      requesters: readonly Requester[],
      clock: Clock,
    ): Promise<SharedAdmission[]> {
      const names = new Set<string>();
      const fit = requesters.findIndex(({ parties }) => {
        for (const { name } of parties) names.add(name);
        return names.size > MAX_PARTIES;
      });
      // The first one fits: a wallet and its networks.
      const taken = fit < 0
        ? requesters
        : requesters.slice(0, Math.max(1, fit));
      return takeInTurn(budget, taken, clock);
    },

    /** Returns whether a shared budget has a call for a requester, or the wait. Takes none. */
    async look(
      budget: SharedBudget,
      requester: Requester,
      now: number,
    ): Promise<SharedAdmission> {
      const counts = countsOf(
        await Promise.all(
          listKeys(budget.name, requester).map((key) => read(key)),
        ),
      );
      return admitShared(counts, budget, requester, { now });
    },

    /**
     * Reads budgets that will be taken from soon, so that taking is one round. Reads
     * of the same turn share the round.
     */
    async prepare(
      budgets: readonly {
        readonly name: string;
        readonly requester?: Requester;
      }[],
    ): Promise<void> {
      const wanted = budgets.flatMap(({ name, requester }) =>
        listKeys(name, requester)
      );
      remembered.put(await Promise.all(wanted.map((key) => read(key))));
    },

    /** Returns whether a call is left for a requester by what this process remembers; false if it remembers nothing. */
    isLeftFor(
      budget: SharedBudget,
      requester: Requester,
      now: number,
    ): boolean {
      const held = remembered.find(listKeys(budget.name, requester));
      return held !== undefined &&
        admitShared(countsOf(held), budget, requester, { now })
          .allowed;
    },

    /** Reads the calls that count for each limit of a budget: all, or those of a wallet or network. */
    async readUse(
      { name, limits }: Pick<SharedBudget, "name" | "limits">,
      party: string | undefined,
      now: number,
    ): Promise<number[]> {
      const key = party === undefined
        ? keys.budget(name)
        : partyKey(name, party);
      return usedOf(countsIn(await read(key)), limits, now);
    },

    /** Closes a shared budget until a time, in epoch ms. */
    close(name: string, until: number): Promise<void> {
      const key = keys.budget(name);
      return checkAndSet<CallCounts, void>(kv, key, ({ value }) => {
        const all = { ...NO_CALLS, ...value };
        const closedUntil = Math.max(all.closedUntil, until);
        const closed = { ...all, closedUntil };
        return {
          value: undefined,
          write: (atomic) => atomic.set(key, closed),
          onCommit: (versionstamp) =>
            remembered.putWritten([[key, closed]], versionstamp),
        };
      });
    },
  };
}

/** Returns the keys of a budget and of a requester's wallet and networks. */
function listKeys(
  name: string,
  requester?: Requester,
): [Deno.KvKey, ...Deno.KvKey[]] {
  const parties = requester?.parties ?? [];
  return [
    keys.budget(name),
    ...parties.map((party) => partyKey(name, party.name)),
  ];
}

/** Returns the key of the part of a budget that a wallet or network used. */
function partyKey(name: string, party: string): Deno.KvKey {
  return keys.budget(`${name} for ${party}`);
}

/** Returns the counts of a budget and of a requester's parties, from their records. */
function countsOf(
  [all, ...parties]: readonly Deno.KvEntryMaybe<unknown>[],
): BudgetCounts {
  return {
    all: countsIn(all!),
    parties: parties.map(countsIn),
  };
}

/** Returns the counts of a record. One of an earlier version counts by class, and is not read. */
function countsIn({ value }: Deno.KvEntryMaybe<unknown>): CallCounts {
  return { ...NO_CALLS, ...value as Partial<CallCounts> | null };
}

/** Counts are useless once all windows have passed. */
function lifeOf(limits: readonly Limit[]): number {
  return 2 * maxOf(limits.map(({ perMs }) => perMs));
}

/** Call budgets in a store. */
export type BudgetStore = ReturnType<typeof budgetStore>;

/** The collections and the rules. */
export const BUDGET_RECORDS: StoredRecords = {
  collections: {
    budgets: { expireMs: 2 * DAY_MS, isLeftOut: true, isUnchecked: true },
  },
  rules: [],
};
