/** The gauges of OpenTelemetry: what an operator watches besides requests. */
import type { ChainDataDeps } from "../chain_data/overview/deps.ts";
import { listSources } from "../chain_data/quality/quality.ts";
import type { Gauge } from "../platform/observability/telemetry.ts";
import { readCapacityUse } from "../scores/capacity.ts";

type GaugeDeps =
  & ChainDataDeps
  & { readonly upstream: Parameters<typeof readCapacityUse>[0]["upstream"] };

/** Lists the gauges. */
export function listGauges(deps: GaugeDeps): Gauge[] {
  return [
    {
      name: "firn.source.lag",
      unit: "h",
      description: "Hours since a source was last read",
      read: async () =>
        (await listSources(deps)).flatMap(({ serves, lagHours }) =>
          lagHours === null
            ? []
            : [{ value: lagHours, attributes: { "firn.serves": serves } }]
        ),
    },
    {
      name: "firn.job.age",
      unit: "s",
      description: "Seconds since a job last started",
      read: async () =>
        (await deps.store.jobs.listRuns()).map(({ job, startedAt }) => ({
          value: Math.round((deps.now().getTime() - startedAt) / 1_000),
          attributes: { "firn.job": job },
        })),
    },
    {
      name: "firn.explorer.calls_left",
      unit: "{call}",
      description: "Calls to the explorer index that are left today",
      read: async () => [{ value: (await readCapacityUse(deps)).left }],
    },
    {
      name: "firn.store.size",
      unit: "By",
      description: "Size of the database file",
      read: async () => {
        const disk = await deps.readDisk();
        return disk === null ? [] : [{ value: disk.used }];
      },
    },
    {
      name: "firn.backup.age",
      unit: "s",
      description: "Seconds since the last complete export began",
      read: async () => {
        const at = await deps.store.entries.findExport();
        return at === null
          ? []
          : [{ value: Math.round((deps.now().getTime() - at) / 1_000) }];
      },
    },
    {
      name: "firn.store.conflicts",
      unit: "{commit}",
      description: "Commits of the last hour that had to be repeated",
      read: () =>
        Promise.resolve([{ value: deps.processMetrics.kv.read().conflicts }]),
    },
  ];
}
