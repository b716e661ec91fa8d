/** Linking a domain: what is missing, in words. */
import { assertEquals, assertRejects } from "@std/assert";
import { Fault } from "../../../../services/platform/fault.ts";
import {
  claimDomain,
  verifyDomain,
} from "../../../../services/profiles/socials/socials.ts";
import { type TestDeps, testDeps, type Zones } from "../../../support/deps.ts";
import { addressOf, claim } from "../../../support/graph.ts";

const ADA = addressOf(1);
const domain = "firn.network";
const NAME = `_firn.${domain}`;

async function faultOf(deps: TestDeps): Promise<Fault> {
  const order = { domain, requestId: "test", hostname: null };
  return await assertRejects(() => verifyDomain(deps, ADA, order), Fault);
}

Deno.test("verifyDomain() says what is missing: a profile, a request, the record, or a record of its own", async () => {
  const zones: Zones = {};
  using deps = await testDeps({ zones });
  assertEquals((await faultOf(deps)).failure.kind, "profileRequired");
  await claim(deps, [ADA]);
  assertEquals(
    (await faultOf(deps)).message,
    `Cannot verify ${domain}: request its record first with POST /socials/domain`,
  );
  const { record: { name, value } } = await claimDomain(deps, ADA, domain);
  const missing = await faultOf(deps);
  assertEquals(missing.failure, { kind: "recordMissing", name, value });
  assertEquals(
    missing.message,
    `Cannot verify ${domain}: ${NAME} has no TXT record "${value}"; a change can take an hour to propagate`,
  );
  zones[NAME] = { txt: [[value]], cname: ["host.example."] };
  const { message } = await faultOf(deps);
  assertEquals(
    message,
    `Cannot verify ${domain}: ${NAME} is an alias; expected a TXT record`,
  );
});
