/** Linking a domain over HTTP. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DomainAnswer } from "../../../services/profiles/profiles_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { type TestDeps, testDeps, type Zones } from "../../support/deps.ts";
import { keyPair, newOwner } from "../../support/owners.ts";

const DOMAIN = "firn.network";
const NAME = `_firn.${DOMAIN}`;

/** An owner with a profile, and the domain requests. */
async function newHolder(deps: TestDeps, nth = 1) {
  const owner = newOwner(deps, keyPair(nth));
  await owner.signIn();
  const body = { displayName: null, slug: null, linksPublic: false };
  await owner.call("PUT", "/profile", { body });
  return {
    ...owner,
    ask: (domain = DOMAIN) =>
      owner.call("POST", "/socials/domain", { body: { domain } }),
    verify: (domain = DOMAIN) =>
      owner.call("POST", "/socials/domain/verify", { body: { domain } }),
  };
}

Deno.test("a domain is linked when its TXT record matches", async () => {
  const zones: Zones = {};
  using deps = await testDeps({ zones });
  const ada = await newHolder(deps);
  const told = await ada.ask(" Firn.Network. ");
  assertEquals(told.status, 200, told.text);
  assertEquals(DomainAnswer.parse(told.body), told.body);
  const { record } = told.body;
  assertEquals([record.type, record.name], ["TXT", NAME]);
  assertMatch(record.value, /^firn-verification=[\w-]{43}$/);
  assert(
    !record.value.includes(ada.wallet.slice(2)),
    "the wallet stays private",
  );
  assertEquals((await ada.ask()).body, told.body, "the same while it is good");

  const early = await ada.verify();
  assertEquals([early.status, early.body.code], [422, "RECORD_NOT_FOUND"]);
  assertEquals([early.body.name, early.body.value], [NAME, record.value]);

  // A long text comes in parts, beside others of the same name.
  const { value } = record;
  zones[NAME] = { txt: [["v=spf1 -all"], [value.slice(0, 9), value.slice(9)]] };
  const linked = await ada.verify();
  assertEquals(linked.status, 200, linked.text);
  assertEquals(linked.body.socials, [{
    kind: "domain",
    handle: DOMAIN,
    verifiedAt: "2026-11-21T08:00:00.000Z",
  }]);
  const again = await ada.verify();
  assertEquals([again.status, again.body.code], [409, "SOCIAL_LINKED"]);
});

Deno.test("a TXT record of one wallet does not work for another", async () => {
  const zones: Zones = {};
  using deps = await testDeps({ zones });
  const [ada, eve] = [await newHolder(deps), await newHolder(deps, 2)];
  const { record } = (await ada.ask()).body;
  zones[NAME] = { txt: [[record.value]] };
  const unasked = await eve.verify();
  assertEquals([unasked.status, unasked.body.parameter], [400, "domain"]);
  await eve.ask();
  assertEquals((await eve.verify()).status, 422);

  assertEquals((await ada.verify()).status, 200);
  const { value } = (await eve.ask()).body.record;
  zones[NAME] = { txt: [[value]] };
  const taken = await eve.verify();
  assertEquals([taken.status, taken.body.code], [409, "SOCIAL_TAKEN"]);
  await ada.call("DELETE", "/socials/domain");
  assertEquals((await eve.verify()).status, 200);
});

Deno.test("an alias or a record at another name does not verify a domain", async (t) => {
  const zones: Zones = {};
  using deps = await testDeps({ zones });
  const ada = await newHolder(deps);
  const { value } = (await ada.ask()).body.record;
  const cases: [name: string, zones: Zones][] = [
    [
      "an alias",
      { [NAME]: { txt: [[value]], cname: ["host.evil.example."] } },
    ],
    ["the domain's own text", { [DOMAIN]: { txt: [[value]] } }],
    ["a text around it", { [NAME]: { txt: [[`"${value}"`], [`${value} `]] } }],
    ["a part of it", { [NAME]: { txt: [[value.slice(0, -1)]] } }],
    ["parts of two records", {
      [NAME]: { txt: [[value.slice(0, 9)], [value.slice(9)]] },
    }],
    ["nothing", {}],
  ];
  for (const [name, records] of cases) {
    await t.step(name, async () => {
      for (const held of Object.keys(zones)) delete zones[held];
      Object.assign(zones, records);
      deps.advance(60_000);
      const { status, body } = await ada.verify();
      assertEquals([status, body.code], [422, "RECORD_NOT_FOUND"]);
      const why = name === "an alias" ? /is an alias; / : /has no TXT record "/;
      assertMatch(body.error, why);
    });
  }
});

Deno.test("a domain record is valid for seven days", async () => {
  const zones: Zones = {};
  using deps = await testDeps({ zones });
  const ada = await newHolder(deps);
  const { body: { record, expiresAt } } = await ada.ask();
  assertEquals(expiresAt, "2026-11-28T08:00:00.000Z");
  zones[NAME] = { txt: [[record.value]] };
  deps.advance(7 * DAY_MS);
  await ada.signIn();
  assertEquals((await ada.verify()).status, 400);
  assert((await ada.ask()).body.record.value !== record.value);
});

Deno.test("linking a domain requires a profile, and is limited to ten requests a minute", async () => {
  using deps = await testDeps();
  const bare = newOwner(deps, keyPair(3));
  await bare.signIn();
  const body = { domain: DOMAIN };
  const answer = await bare.call("POST", "/socials/domain", { body });
  assertEquals([answer.status, answer.body.code], [409, "PROFILE_REQUIRED"]);

  const ada = await newHolder(deps);
  await ada.ask();
  for (let call = 0; call < 9; call++) {
    assertEquals((await ada.verify()).status, 422);
  }
  assertEquals((await ada.verify()).body.code, "RATE_LIMITED");
});

Deno.test("an unreachable resolver answers 503, and nothing is linked", async () => {
  const zones: Zones = {};
  using deps = await testDeps({ zones });
  const ada = await newHolder(deps);
  await ada.ask();
  Object.defineProperty(zones, NAME, {
    get() {
      throw new Error("no route to host");
    },
  });
  const { status, body, headers } = await ada.verify();
  assertEquals([status, body.code], [503, "UPSTREAM_UNAVAILABLE"]);
  assert(Number(headers.get("Retry-After")) > 0);
  assert(!body.error.includes("route"), "nothing of this machine");
});
