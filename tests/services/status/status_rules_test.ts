/** From which share of failed requests on the service is degraded. */
import { assertEquals } from "@std/assert";
import {
  isTrafficFailing,
  listWarnings,
} from "../../../services/status/status.ts";
import type { Surface } from "../../../services/platform/surfaces_schema.ts";

const counted = (
  family: Surface,
  requests: number,
  serverErrors: number,
  clientErrors = 0,
) => ({ family, requests, serverErrors, clientErrors });

Deno.test("isTrafficFailing() is true from 1 % of all requests, 5 % of a surface, and three failures on", () => {
  const good = counted("pages", 600, 0);
  const cases: [ReturnType<typeof counted>[], boolean][] = [
    [[], false],
    // 1 % of all.
    [[good, counted("scoring", 400, 10)], true],
    [[good, counted("scoring", 400, 9)], false],
    // Less than 1 %, and 1 % when rounded to two decimals.
    [[counted("pages", 201, 0), counted("scoring", 100, 3)], true],
    [[counted("pages", 202, 0), counted("scoring", 100, 3)], false],
    // 5 % of a surface.
    [[good, counted("scoring", 100, 5)], true],
    [[good, counted("scoring", 101, 5)], false],
    // Refusals, of strangers too, hide no failures.
    [[counted("scoring", 3_100, 5, 3_000)], true],
    // Three failures.
    [[counted("scoring", 10, 3)], true],
    [[counted("scoring", 2, 2)], false],
  ];
  for (const [families, isFailing] of cases) {
    assertEquals(isTrafficFailing(families), isFailing, Deno.inspect(families));
  }
});

Deno.test("listWarnings() warns of one node if payments are enabled", () => {
  const treasury = "0xfe";
  const count = (nodeHosts: string[], to: string | null = treasury) =>
    listWarnings({
      payment: { treasury: to },
      upstream: { transfers: nodeHosts.map((host) => ({ host })) },
      proxies: { isBypassable: false },
    }).length;
  assertEquals(count(["a.test"]), 1);
  assertEquals(count(["a.test", "a.test"]), 1);
  assertEquals(count(["a.test", "b.test"]), 0);
  assertEquals(count(["a.test"], null), 0);
});
