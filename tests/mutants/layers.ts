/** The layer of a source file, and the tests that should notice a change to it. */

const LAYERS = [
  "domain",
  "services",
  "store",
  "client",
  "schema",
  "routes",
] as const;
export type Layer = typeof LAYERS[number];

/**
 * Tests that reach a capability from outside its folder: folders, files, and
 * files that begin like this. Tests that start processes take too long here.
 */
const REACHED_BY: Readonly<Record<string, readonly string[]>> = {
  about: ["routes/about", "routes/platform", "adversary/status_"],
  accounts: [
    "routes/accounts",
    "routes/middleware",
    "routes/scores",
    "adversary/smart_sessions_",
    "adversary/no_prepare_call_",
    "adversary/test_keys_",
    "adversary/ipv6_sites_",
    "faults/kv_faults_",
  ],
  attestations: ["routes/attestations", "adversary/one_human_"],
  chain_data: [
    "routes/chain_data",
    "jobs/cross_check_",
    "jobs/refresh_series_",
    "jobs/sample_blocks_",
    "jobs/snapshot_validators_",
    "services/doctor",
  ],
  charts: ["routes/charts", "routes/views/charts"],
  doctor: [],
  payments: [
    "routes/payments",
    "routes/accounts",
    "jobs/find_payments_",
    "adversary/claims_",
    "adversary/late_credit_",
    "adversary/old_transfers_",
    "adversary/single_node_",
    "adversary/value_conserved_",
    "services/accounts/quota",
  ],
  platform: [
    "cache_bounds_test.ts",
    "routes/middleware",
    "routes/http",
    "routes/platform",
    "faults/clock_",
    "faults/kv_faults_",
    "jobs/register_jobs_",
    "services/accounts",
    "services/profiles/follows",
    "adversary/restored_backup_",
    "adversary/fair_shares_",
    "adversary/ipv6_sites_",
    "routes/payments",
    "routes/accounts",
  ],
  profiles: [
    "routes/profiles",
    "adversary/donations_",
    "adversary/one_human_",
    "adversary/reserved_names_",
    "jobs/refresh_graph_",
    "jobs/record_scores_",
    "services/scores/scores_",
  ],
  scores: [
    "routes/scores",
    "routes/attestations",
    "jobs/record_scores_",
    "jobs/score_waiting_",
    "adversary/test_keys_",
  ],
};

/** Breaks every rule of every capability. */
const STORE_RULES_TEST = "services/platform/kv/invariants_store_test.ts";

/** Tests that reach every route, after those of its folder. */
const ROUTES_REACHED_BY = [
  "routes",
  "cache_bounds_test.ts",
  "faults/kv_faults_",
  "adversary",
];

/**
 * Returns the layer of a file from its path and text. A file without a suffix
 * is a use case ("services") if it waits for something, else a rule ("domain").
 */
export function layerOf(path: string, text: string): Layer {
  if (path.startsWith("routes/")) return "routes";
  const suffix = path.match(/_(store|client|schema)\.ts$/)?.[1];
  if (suffix) return suffix as Layer;
  return /\bawait\b|\bPromise<|\/deps\.ts"/.test(text) ? "services" : "domain";
}

/**
 * Returns the tests of a source file in stages, nearest first: files of tests,
 * or folders, relative to `tests/`. `tests` lists all files of tests. `isNear`
 * leaves out those that reach the file from outside its folder.
 */
export function stagesOf(
  path: string,
  tests: readonly string[],
  isNear = false,
): string[][] {
  const stem = path.replace(/\.ts$/, "");
  const folder = path.slice(0, path.lastIndexOf("/"));
  const [top, capability = ""] = path.split("/");
  const within = (place: string) =>
    tests.filter((test) =>
      test.startsWith(/_$|\.ts$/.test(place) ? place : `${place}/`)
    );
  const mirror = [
    ...tests.filter((test) => test.startsWith(`${stem}_`)),
    ...stem.endsWith("/store_rules") ? within(STORE_RULES_TEST) : [],
  ];
  const wider = top === "routes"
    ? ROUTES_REACHED_BY
    : top === "jobs"
    ? ["jobs", "adversary"]
    : [`services/${capability}`, ...REACHED_BY[capability] ?? []];
  const seen = new Set<string>();
  return [mirror, within(folder), isNear ? [] : wider.flatMap(within)]
    .map((stage) =>
      stage.filter((test) => {
        const isNew = !seen.has(test);
        seen.add(test);
        return isNew;
      })
    )
    .filter((stage) => stage.length > 0);
}
