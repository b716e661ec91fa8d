/** Rate limits of requests without a session, by network. */
import { assertEquals, assertRejects } from "@std/assert";
import { limitClient } from "../../../../services/platform/rate_limit/client_limits.ts";
import { Fault } from "../../../../services/platform/fault.ts";
import { testDeps } from "../../../support/deps.ts";

Deno.test("limitClient() counts the addresses of one network together", async () => {
  using deps = await testDeps();
  for (let nth = 0; nth < 12; nth++) {
    await limitClient(deps, "challenge", `2001:db8:1:2::${nth}`);
  }
  await limitClient(deps, "challenge", "2001:db8:1:3::1");
  await limitClient(deps, "keyCreation", "2001:db8:1:2::1");
  const error = await assertRejects(
    () => limitClient(deps, "challenge", "2001:db8:1:2::abcd"),
    Fault,
  );
  assertEquals(error.failure.kind, "tooManyChanges");
  assertEquals(
    error.message,
    "Rate limit of your network exceeded: expected at most 12 sign-in messages a minute and 120 sign-in messages an hour",
  );
});
