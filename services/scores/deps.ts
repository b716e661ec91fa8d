/** Dependencies and stores of scores. */
import type { AccountsStores } from "../accounts/deps.ts";
import type { PaymentsStores } from "../payments/deps.ts";
import type { Tracked } from "../platform/kv/reads.ts";
import type { ProfilesDeps, ProfilesStores } from "../profiles/deps.ts";
import type { UpstreamCalls } from "../platform/rate_limit/call_budget.ts";
import type { CChainAccounts } from "./signals/c_chain_accounts_client.ts";
import type { ExplorerAccounts } from "./signals/explorer_accounts_client.ts";
import type { ScheduledModel } from "../model/model_schedule.ts";
import type { scoreStore, waitingScoreStore } from "./scores_store.ts";
import type { signalStore } from "./signals/signals_store.ts";

/** Collections of scores. */
interface ScoresStores {
  readonly scores: ReturnType<typeof scoreStore>;
  readonly signals: ReturnType<typeof signalStore>;
  readonly waitingScores: ReturnType<typeof waitingScoreStore>;
}

/** Collections whose versions the quota commit of a keyed score checks. */
export type KeyedStores = Pick<
  PaymentsStores & AccountsStores & ProfilesStores,
  "apiKeys" | "follows" | "humanProofs" | "plans" | "profiles"
>;

/** Dependencies of scores. */
export interface ScoresDeps extends ProfilesDeps {
  /** The models, and from when each is used. */
  readonly modelSchedule: readonly ScheduledModel[];
  /** How long a score page waits for a score before it says that one is being read, in milliseconds. */
  readonly scorePatienceMs: number;
  readonly store:
    & Omit<ProfilesDeps["store"], "tracked">
    & ScoresStores
    & Tracked<KeyedStores>;
  readonly upstream: ProfilesDeps["upstream"] & {
    readonly cChain: CChainAccounts;
    readonly explorer: ExplorerAccounts & {
      readonly calls: readonly UpstreamCalls[];
    };
  };
}

/** What a score is read with. */
export type ScoreReadDeps = Pick<
  ScoresDeps,
  "log" | "modelSchedule" | "now" | "share" | "store" | "timeout" | "upstream"
>;
