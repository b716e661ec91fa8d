/** Store rules of scores. */
import * as scoreKeys from "./keys.ts";
import * as keys from "../profiles/keys.ts";
import {
  type GraphRecord,
  withSignals,
} from "../profiles/follows/follow_edges.ts";
import { type SignalsRecord, unpack } from "./signals/signals_store.ts";
import { type Cohort, MAX_MEMBERS } from "./signals/cohort.ts";
import { type StoredHistory, unpackHistory } from "./packed_history.ts";
import { HISTORY_DAYS } from "./score_requests_schema.ts";
import { MAX_WAITING } from "./waiting_scores_store.ts";
import {
  ANY,
  areDistinct,
  areRising,
  isSame,
  type Rule,
  textAt,
} from "../platform/kv/store_rule.ts";

const history: Rule<StoredHistory> = {
  name: "score-history",
  of: scoreKeys.scoreHistory(ANY),
  invariant:
    `a score history has one point per day, in order, at most ${HISTORY_DAYS}`,
  holds({ value }) {
    const { points } = unpackHistory(value)!;
    return points.length <= HISTORY_DAYS &&
      areRising(points.map(({ day }) => day));
  },
};

const waiting: Rule<readonly string[]> = {
  name: "waiting-scores",
  of: scoreKeys.waitingScores(),
  invariant: `at most ${MAX_WAITING} addresses wait to be scored, each once`,
  holds: ({ value }) => value.length <= MAX_WAITING && areDistinct(value),
};

const known: Rule<SignalsRecord> = {
  name: "signals-known",
  of: scoreKeys.signals(ANY),
  invariant:
    "the follow graph has the current signals of an address, or its newer nonce",
  async holds({ key, value }, { find }) {
    const record = await find<GraphRecord>(keys.graph(textAt(key, 1)));
    const { signals, isEarlier } = unpack(value);
    const held = record?.known;
    const known = withSignals(held ?? null, signals);
    // The follower still has the gas as it was paid.
    const gasAvax = isEarlier ? value.gasAvax : known.gasAvax;
    const expected = { ...known, gasAvax };
    // A nonce may have been read since.
    const isOpen = !expected.hasHistory && !held?.hasHistory;
    const hasHistory = isOpen ? held?.hasHistory ?? null : expected.hasHistory;
    return isSame(held, { ...expected, hasHistory });
  },
};

const cohort: Rule<Cohort> = {
  name: "cohort-members",
  of: scoreKeys.cohort(ANY),
  invariant: `a cohort has at most ${MAX_MEMBERS} wallets, each once`,
  holds: ({ value: { members } }) =>
    members.length <= MAX_MEMBERS &&
    areDistinct(members.map(({ address }) => address)),
};

/** The rules of scores. */
export const SCORE_RULES: readonly Rule<never>[] = [
  history,
  waiting,
  known,
  cohort,
];
