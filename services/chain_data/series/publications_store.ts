/** Store of the newest publication: the newest day that upstream has published, and when. */
import { HOUR_MS } from "../../platform/days.ts";
import { CLOCK_SKEW_MS } from "../../platform/clock.ts";
import { checkAndSet } from "../../platform/kv/commit.ts";
import type { Rule, StoredRecords } from "../../platform/kv/store_rule.ts";

/** Keys. */
const keys = {
  /** The newest publication of the Metrics API. */
  publication: () => ["publications", "newest"],
  /** The sweep of the newest publication. */
  sweep: () => ["publications", "sweep"],
  /** How far a sweep is that was cut. It is kept until the sources are compared. */
  progress: () => ["publications", "progress"],
  /** Until when no hourly series is due. */
  rest: () => ["publications", "rest"],
};

/**
 * The newest publication of upstream, by the canary: the C-Chain's `txCount`,
 * which is read every five minutes. Instants in epoch ms.
 */
export interface Publication {
  /** The newest day of the canary. It falls only if upstream withdraws days for good. */
  readonly newestDay: number;
  /** When a read first showed that day. */
  readonly publishedAt: number;
  /** When a read last showed no newer day. */
  readonly confirmedAt: number;
  /** When a read last showed that the day was not yet published; null if none did. */
  readonly unpublishedAt: number | null;
  /** `publishedAt` of the previous publication; null for the first one. */
  readonly previousAt: number | null;
  /** Base URL of the upstream. */
  readonly origin: string;
}

/** The reading of every series once after a publication; instants in epoch ms. */
export interface Sweep {
  /** `publishedAt` of the publication. */
  readonly publishedAt: number;
  readonly finishedAt: number;
  /**
   * Chains that had published with the others or are quiet, by their ids: their states need not be read until
   * the next publication. Absent in records of earlier versions.
   */
  readonly settled?: readonly number[];
}

/** How far the sweep of a publication was when its run was cut: the series of these chains need not be looked at. */
export interface SweepProgress extends Required<Pick<Sweep, "settled">> {
  readonly publishedAt: number;
  /** Chains that publish late, by their ids. */
  readonly late: readonly number[];
}

/** A time in which no hourly series is due, but for those that failed; instants in epoch ms. */
export interface HourlyRest {
  /** `publishedAt` of the publication: after the next one they are due at once. */
  readonly publishedAt: number;
  readonly from: number;
  readonly until: number;
}

/** What is published, and what was read since. */
export interface Published {
  readonly publication: Publication | null;
  /** The last finished sweep. */
  readonly sweep: Sweep | null;
  readonly progress: SweepProgress | null;
  readonly rest: HourlyRest | null;
}

/** What the last stored read of the canary showed. */
interface CanaryRead {
  readonly newestDay: number;
  readonly readAt: number;
  readonly origin: string;
}

/** The publication and its sweep in a store. */
export function publicationStore(kv: Deno.Kv) {
  const key = keys.publication();
  return {
    /** Finds the newest publication. Returns null before the first read of the canary. */
    async find(): Promise<Publication | null> {
      return (await kv.get<Publication>(key)).value;
    },

    /**
     * Finds all of it in one read unit: a hosted database counts a list by its bytes,
     * and keys one by one.
     */
    async findAll(): Promise<Published> {
      const all = await Array.fromAsync(
        kv.list<Publication | Sweep | SweepProgress | HourlyRest>({
          prefix: [key[0]!],
        }),
      );
      const of = ([, name]: Deno.KvKey) =>
        all.find((entry) => entry.key[1] === name)?.value ?? null;
      return {
        publication: of(key) as Publication | null,
        sweep: of(keys.sweep()) as Sweep | null,
        progress: of(keys.progress()) as SweepProgress | null,
        rest: of(keys.rest()) as HourlyRest | null,
      };
    },

    /** Records a finished sweep. */
    async putSweep(sweep: Sweep): Promise<void> {
      await kv.set(keys.sweep(), sweep);
    },

    /** Records how far a sweep is. */
    async putProgress(progress: SweepProgress): Promise<void> {
      await kv.set(keys.progress(), progress);
    },

    /** Deletes what a cut sweep has left, once the sources are compared. */
    async deleteProgress(): Promise<void> {
      await kv.delete(keys.progress());
    },

    /** Records until when no hourly series is due. Other processes can read one only earlier than this one would. */
    async putRest(rest: HourlyRest): Promise<void> {
      await kv.set(keys.rest(), rest);
    },

    /**
     * Records a stored read of the canary. A newer day is a publication. If the newest day is
     * older than the stored one, it replaces it, so that no chain is measured by
     * withdrawn days.
     */
    confirm(read: CanaryRead): Promise<Publication> {
      return checkAndSet<Publication, Publication>(kv, key, ({ value }) => {
        const next = withRead(value, read);
        return { value: next, write: (atomic) => atomic.set(key, next) };
      });
    },
  };
}

/** Returns the newest publication after a read of the canary. */
function withRead(stored: Publication | null, read: CanaryRead): Publication {
  const { newestDay, readAt, origin } = read;
  if (stored?.origin !== origin || isAhead(stored, readAt)) {
    return {
      newestDay,
      publishedAt: readAt,
      confirmedAt: readAt,
      unpublishedAt: null,
      previousAt: null,
      origin,
    };
  }
  if (newestDay <= stored.newestDay) {
    const isLast = readAt > stored.confirmedAt;
    return {
      ...stored,
      newestDay: isLast ? newestDay : stored.newestDay,
      confirmedAt: Math.max(stored.confirmedAt, readAt),
    };
  }
  // The clock of the process that read last may be ahead.
  const publishedAt = Math.max(readAt, stored.confirmedAt);
  return {
    newestDay,
    publishedAt,
    confirmedAt: publishedAt,
    unpublishedAt: stored.confirmedAt,
    previousAt: stored.publishedAt,
    origin,
  };
}

/** A publication from the future was recorded before the clock was set back. */
function isAhead({ confirmedAt }: Publication, now: number): boolean {
  return confirmedAt > now + CLOCK_SKEW_MS;
}

const publication: Rule<Publication> = {
  name: "publication",
  of: keys.publication(),
  invariant:
    "a publication was first read after the reads that did not show it, and confirmed since",
  holds: (
    { value: { publishedAt, confirmedAt, unpublishedAt, previousAt } },
  ) =>
    (previousAt ?? -Infinity) <= (unpublishedAt ?? Infinity) &&
    (unpublishedAt ?? -Infinity) <= publishedAt && publishedAt <= confirmedAt,
};

const sweep: Rule<Sweep> = {
  name: "sweep",
  of: keys.sweep(),
  invariant: "a sweep ended after the publication that started it",
  holds: ({ value: { publishedAt, finishedAt } }) => publishedAt <= finishedAt,
};

const progress: Rule<SweepProgress> = {
  name: "sweep-progress",
  of: keys.progress(),
  invariant: "a chain whose series a sweep has read is settled or late",
  holds: ({ value: { settled, late } }) =>
    !late.some((chainId) => settled.includes(chainId)),
};

const rest: Rule<HourlyRest> = {
  name: "hourly-rest",
  of: keys.rest(),
  invariant: "the hourly series rest for at most an hour",
  holds: ({ value: { from, until } }) => until - from <= HOUR_MS,
};

/** The collections and the rules. */
export const PUBLICATION_RECORDS: StoredRecords = {
  collections: {
    publications: {},
  },
  rules: [publication, sweep, progress, rest],
};
