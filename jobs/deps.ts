/** Dependencies of all jobs. */
import type { ChainDataDeps } from "../services/chain_data/deps.ts";
import type { ProfilesDeps } from "../services/profiles/deps.ts";
import type { ScoresDeps } from "../services/scores/deps.ts";

/** Dependencies of jobs. */
export type JobDeps = ChainDataDeps & ProfilesDeps & ScoresDeps;
