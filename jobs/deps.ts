/** Dependencies of all jobs. */
import type { DownloadsDeps } from "../services/downloads/deps.ts";
import type { ProfilesDeps } from "../services/profiles/deps.ts";
import type { ScoresDeps } from "../services/scores/deps.ts";

/** Dependencies of jobs. */
export type JobDeps = DownloadsDeps & ProfilesDeps & ScoresDeps;
