/** What no route of the app answers. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { enrol } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";

Deno.test("an unknown path is a 404 that names where its own surface is listed", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  const { key } = await enrol(deps);
  const lists: [path: string, list: string][] = [
    ["/api/chain-data/prices", "/api/chain-data"],
    ["/api/v1/nope", "/api/v1"],
    ["/api/v1/score/0x12/nope/nope", "/api/v1"],
    ["/api/v10", "/openapi.json"],
    ["/api/account/nope", "/openapi.json"],
    ["/api/profiles", "/openapi.json"],
    ["/api/tools/nope", "/openapi.json"],
    ["/api/nope", "/openapi.json"],
    ["/nope", "/docs"],
    ["/.well-known/nope", "/docs"],
  ];
  for (const [path, list] of lists) {
    await t.step(path, async () => {
      const headers = { "X-Api-Key": key };
      const response = await app.request(path, { headers });
      assertEquals(response.status, 404);
      const { error, code } = await response.json();
      assertEquals(code, "NOT_FOUND");
      assertEquals(error, `Cannot find ${path}: see ${list}`);
      assertEquals((await app.request(list)).status, 200, list);
    });
  }
});
