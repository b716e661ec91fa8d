/** The Host header: which values are refused, and how. */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { testDeps } from "../../support/deps.ts";

const FAULT =
  /"error":"Invalid Host: expected a name and an optional port".*"code":/;

Deno.test("an invalid Host is refused, also after a valid one that it begins with", async () => {
  using deps = await testDeps();
  const { fetch } = createApp(deps);
  const ask = (host: string) =>
    fetch(new Request("http://firn.test/api/v1", { headers: { Host: host } }));
  for (let time = 0; time < 2; time++) {
    const { status } = await ask("firn.test");
    assertEquals(status, 200);
    for (const host of ["firn.test/api", "firn.test?", "a@firn.test", "a b"]) {
      const refused = await ask(host);
      assertEquals(refused.status, 400, host);
      assert(FAULT.test(await refused.text()), host);
      assert(refused.headers.has("X-Request-Id"));
    }
  }
});

Deno.test("the refusal of an invalid Host has the security headers of pages", async () => {
  using deps = await testDeps();
  const { fetch } = createApp(deps);
  const refused = await fetch(
    new Request("http://firn.test/chains", { headers: { Host: "a/b" } }),
  );
  assertEquals(refused.status, 400);
  assert(refused.headers.has("Content-Security-Policy"));
  await refused.body?.cancel();
});
