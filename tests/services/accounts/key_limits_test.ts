/** The limits of keys: their stored form, and their words in a signed message. */
import { assertEquals } from "@std/assert";
import {
  bindingOf,
  statementOf,
} from "../../../services/accounts/challenges.ts";
import {
  describeLimits,
  limitParams,
  limitsOf,
  showLimits,
} from "../../../services/accounts/key_limits.ts";
import {
  type KeyLimitsBody,
  NO_LIMITS,
} from "../../../services/accounts/key_limits_schema.ts";

const BODY: KeyLimitsBody = {
  scopes: ["usage", "score"],
  networks: ["2001:DB8::/32", "203.0.113.0/24", "2001:db8::/32"],
  expiresAt: "2027-01-31T00:00:00Z",
  maxUnits: 1_000,
  note: "CI",
};

Deno.test("limitsOf() sorts scopes, drops duplicates, and stores instants as numbers", () => {
  const stored = limitsOf(BODY);
  assertEquals(stored, {
    scopes: ["score", "usage"],
    networks: ["2001:db8::/32", "203.0.113.0/24"],
    expiresAt: Date.UTC(2027, 0, 31),
    maxUnits: 1_000,
    note: "CI",
  });
  const { scopes, networks, ...rest } = stored;
  assertEquals(showLimits(stored), {
    ...rest,
    scopes: [...scopes!],
    networks: [...networks!],
    expiresAt: "2027-01-31T00:00:00.000Z",
  });
  assertEquals(limitsOf(NO_LIMITS), NO_LIMITS);
  assertEquals(showLimits(NO_LIMITS), NO_LIMITS);
});

Deno.test("limitParams() names each limit that applies", () => {
  assertEquals(limitParams(BODY), [
    ["scopes", "score,usage"],
    ["networks", "2001:db8::/32,203.0.113.0/24"],
    ["expiresAt", "2027-01-31T00:00:00.000Z"],
    ["maxUnits", "1000"],
    ["note", "CI"],
  ]);
  assertEquals(limitParams(NO_LIMITS), []);
});

Deno.test("describeLimits() names three networks and counts the others", () => {
  const networksOf = (count: number) =>
    Array.from({ length: count }, (_, nth) => `192.0.2.${nth}`);
  const cases: [count: number, words: string][] = [
    [1, "192.0.2.0"],
    [3, "192.0.2.0, 192.0.2.1, 192.0.2.2"],
    [4, "192.0.2.0, 192.0.2.1, 192.0.2.2 and 1 more"],
    [20, "192.0.2.0, 192.0.2.1, 192.0.2.2 and 17 more"],
  ];
  for (const [count, words] of cases) {
    const said = describeLimits({ ...NO_LIMITS, networks: networksOf(count) });
    assertEquals(said, `Limits: from ${words}.`);
  }
  assertEquals(
    describeLimits(BODY),
    "Limits: for score, usage; from 2001:db8::/32, 203.0.113.0/24; until 2027-01-31T00:00:00.000Z; at most 1000 units in 30 days.",
  );
  assertEquals(describeLimits({ ...NO_LIMITS, note: "CI" }), "");
});

Deno.test("statementOf() says what each action does, with the limits that apply", () => {
  const said = (action: string, params: object = {}) =>
    statementOf({ action, params } as Parameters<typeof statementOf>[0]);
  const create = { keyName: "app", kind: "live" };
  const limits = { ...NO_LIMITS, maxUnits: 5 };
  const words = "Limits: at most 5 units in 30 days.";
  const cases: [string, string][] = [
    [
      said("session"),
      "Sign in to Firn. This costs nothing and sends nothing.",
    ],
    [
      said("key.create", { ...create, limits: NO_LIMITS }),
      "Create the live API key 'app' for this wallet.",
    ],
    [
      said("key.create", { ...create, limits }),
      `Create the live API key 'app' for this wallet. ${words}`,
    ],
    [
      said("key.limit", { keyId: "k1", limits: NO_LIMITS }),
      "Change the limits of the API key k1. No limits.",
    ],
    [
      said("key.limit", { keyId: "k1", limits }),
      `Change the limits of the API key k1. ${words}`,
    ],
    [
      said("key.revoke", { keyId: "k1" }),
      "Revoke the API key k1. It stops working at once.",
    ],
    [
      said("key.rotate", { keyId: "k1", graceSeconds: 0 }),
      "Replace the API key k1. It stops working at once.",
    ],
    [
      said("key.rotate", { keyId: "k1", graceSeconds: 1 }),
      "Replace the API key k1. It stops working in 1 seconds.",
    ],
  ];
  for (const [statement, expected] of cases) assertEquals(statement, expected);
});

Deno.test("bindingOf() sorts the parameters, so that their order does not matter", () => {
  const binding =
    "action=key.create&expiresAt=2027-01-31T00%3A00%3A00.000Z&keyName=app&kind=live&maxUnits=1000&networks=2001%3Adb8%3A%3A%2F32%2C203.0.113.0%2F24&note=CI&scopes=score%2Cusage";
  const params = { kind: "live", keyName: "app", limits: BODY };
  const turned = { limits: BODY, keyName: "app", kind: "live" };
  assertEquals(bindingOf("key.create", params), binding);
  assertEquals(bindingOf("key.create", turned), binding);
});
