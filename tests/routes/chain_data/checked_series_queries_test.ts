import { assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import {
  BASE,
  CHECKED_PATHS as PATHS,
  type CheckedPath as Path,
} from "../../support/checked_answers.ts";
import { testDeps } from "../../support/deps.ts";

Deno.test("the checked series reject invalid parameters and name the accepted values", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  const shared: [query: string, error: string][] = [
    ["range=2y", 'Invalid range "2y": expected one of 30d, 90d, 1y, all'],
    ["range=", 'Invalid range "": expected one of 30d, 90d, 1y, all'],
    ["format=xml", 'Invalid format "xml": expected one of json, csv'],
    [
      "format=json&format=csv",
      'Invalid format "json", "csv": expected one value',
    ],
    [
      "range=30d&from=2026-11-01",
      'Invalid range "30d": expected all or none together with from or to',
    ],
    [
      "range=1y&to=2026-11-01",
      'Invalid range "1y": expected all or none together with from or to',
    ],
    [
      "from=2026-02-30",
      'Invalid from "2026-02-30": expected a calendar day as YYYY-MM-DD',
    ],
    [
      "from=2026-11-02&to=2026-11-01",
      'Invalid from "2026-11-02": expected a day on or before to',
    ],
    [
      "from=2026-11-22",
      'Invalid from "2026-11-22": expected a day up to 2026-11-21',
    ],
    [
      "to=2020-09-20",
      'Invalid to "2020-09-20": expected a day from 2020-09-21 on',
    ],
  ];
  const own: Record<Path, [query: string, error: string][]> = {
    "/monthly-transactions": [
      ["interval=week", 'Invalid interval "week": expected one of month, day'],
      [
        "interval=day&interval=day",
        'Invalid interval "day", "day": expected one value',
      ],
      [
        "metric=txCount",
        'Unknown parameter "metric": expected one of interval, range, from, to, asOf, format',
      ],
      [
        "window=30",
        'Unknown parameter "window": expected one of interval, range, from, to, asOf, format',
      ],
    ],
    "/transaction-fees": [
      ["interval=week", 'Invalid interval "week": expected one of month, day'],
      [
        "chainId=43114",
        'Unknown parameter "chainId": expected one of interval, range, from, to, asOf, format',
      ],
    ],
    "/block-production": [
      ["window=10", 'Invalid window "10": expected one of 7, 30, 90'],
      ["window=30d", 'Invalid window "30d": expected one of 7, 30, 90'],
      ["window=7&window=7", 'Invalid window "7", "7": expected one value'],
      [
        "interval=day",
        'Unknown parameter "interval": expected one of window, range, from, to, asOf, format',
      ],
    ],
    "/validators": [
      [
        "interval=day",
        'Unknown parameter "interval": expected one of range, from, to, asOf, format',
      ],
      [
        "metric=validators",
        'Unknown parameter "metric": expected one of range, from, to, asOf, format',
      ],
    ],
  };
  for (const path of PATHS) {
    for (const [query, error] of [...shared, ...own[path]]) {
      await t.step(`${path}?${query}`, async () => {
        const response = await app.request(`${BASE}${path}?${query}`);
        assertEquals(response.status, 400);
        assertEquals(response.headers.get("Cache-Control"), "no-store");
        const body = await response.json();
        assertEquals(
          body.error.slice(0, error.length),
          error,
        );
        assertEquals([body.message, body.code], [body.error, "BAD_REQUEST"]);
      });
    }
  }
  assertEquals(
    Object.values(deps.upstreams).flatMap(({ calls }) => calls),
    [],
    "no upstream was asked",
  );
});
