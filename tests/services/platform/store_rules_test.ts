/** Store rules of the platform: each record that breaks one, and its neighbours that do not. */
import { DAY_MS } from "../../../services/platform/days.ts";
import { RULES } from "../../../services/stores.ts";
import { assertRules } from "../../support/kv/rule_cases.ts";

const NOW = 5_000;
const run = { job: "job", endedAt: 9, outcome: "read 1", error: null };
const incident = { job: "job", from: 10, to: 20, failedRuns: 1 };

Deno.test("rules of the platform hold for sound records, and for no others", () =>
  assertRules(RULES, [
    {
      rule: "job-lease",
      key: ["job_leases", "job"],
      cases: [
        ["within a day", true, { until: NOW + DAY_MS - 1 }],
        ["a day", false, { until: NOW + DAY_MS }],
        ["past", true, { until: 0 }],
      ],
    },
    {
      rule: "job-run",
      key: ["job_runs", "job"],
      cases: [
        ["an outcome", true, run],
        ["an error", true, { ...run, outcome: null, error: "no" }],
        ["both", false, { ...run, error: "no" }],
        ["neither", false, { ...run, outcome: null }],
        ["not finished", true, { ...run, endedAt: null, outcome: null }],
        ["of another job", false, { ...run, job: "other" }],
      ],
    },
    {
      rule: "job-incidents",
      key: ["job_incidents", "job"],
      cases: [
        ["none", true, []],
        ["one", true, [incident]],
        ["at the epoch", true, [{ ...incident, from: 0 }]],
        ["without a failed run", false, [{ ...incident, failedRuns: 0 }]],
        ["of another job", false, [{ ...incident, job: "other" }]],
        ["no length", true, [{ ...incident, to: 10 }]],
        ["a negative length", false, [{ ...incident, to: 9 }]],
        ["that lasts", true, [{ ...incident, to: null }]],
        ["one after the other", true, [
          incident,
          { ...incident, from: 20, to: null },
        ]],
        ["that overlap", false, [incident, { ...incident, from: 19 }]],
        ["after one that lasts", false, [
          { ...incident, to: null },
          { ...incident, from: 30, to: 40 },
        ]],
      ],
    },
    {
      rule: "audit-order",
      key: ["audit", "0xa", 7, "id"],
      cases: [["its time", true, { at: 7 }], ["another", false, { at: 8 }]],
    },
    {
      rule: "traffic-day",
      key: ["traffic_days", 3],
      cases: [
        ["none", true, { requests: 0, serverErrors: 0 }],
        ["all failed", true, { requests: 4, serverErrors: 4 }],
        ["more failed", false, { requests: 4, serverErrors: 5 }],
        ["fewer than none", false, { requests: 4, serverErrors: -1 }],
      ],
    },
    {
      rule: "whole-copy",
      key: ["import"],
      cases: [["an unfinished import", false, {}]],
    },
  ], NOW));
