/** Requests that a valid key makes without spending a unit are limited by network. */
import { assertEquals } from "@std/assert";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { connectionFrom, limited } from "../../support/clients.ts";

const METRICS = "/api/chain-data/metrics?range=30d";

Deno.test("requests with a valid key that cost no unit have the limit of refused keys", async (t) => {
  const address = exampleOf("ordinary");
  const cases = [
    ["an invalid address", "/api/v1/score/x", {}, 400],
    [
      "an endpoint of a higher plan",
      `/api/v1/score/${address}/history`,
      {},
      402,
    ],
    ["an unknown path", `/api/v1/score/${address}/x`, {}, 404],
    ["another method", `/api/v1/score/${address}`, { method: "PUT" }, 405],
  ] as const;
  for (const [what, path, init, refusedAs] of cases) {
    await t.step(what, async () => {
      using service = await limited(2);
      const { key } = await enrol(service.deps);
      const asked = { ...init, headers: { "X-Api-Key": key } };
      const statuses: number[] = [];
      for (let nth = 0; nth < 3; nth++) {
        const { status, body } = await service.ask(path, asked);
        await body?.cancel();
        statuses.push(status);
      }
      assertEquals(statuses, [refusedAs, refusedAs, 429]);
      assertEquals((await service.ask(METRICS)).status, 200);
    });
  }
  await t.step("a call beyond the burst of the key", async () => {
    using service = await limited(2);
    const { key } = await enrol(service.deps);
    const codes: (string | undefined)[] = [];
    for (let nth = 0; nth < 63; nth++) {
      const asked = { headers: { "X-Api-Key": key } };
      const answer = await service.ask(`/api/v1/score/${address}`, asked);
      const { code, of } = await answer.json();
      if (answer.status !== 200) codes.push(of ?? code);
    }
    assertEquals(codes, ["RATE_LIMITED", "RATE_LIMITED", "refusedKeys"]);
  });
});

Deno.test("requests with any key are counted before they are answered, whatever refuses them", async (t) => {
  for (const host of ["x@y", "a b", "firn.test/x"]) {
    for (const key of ["any", `firn_live_${"a".repeat(32)}`]) {
      await t.step(`Host: ${host}, X-Api-Key: ${key}`, async () => {
        using service = await limited(4);
        const { app, deps } = service;
        const statuses: number[] = [];
        for (let nth = 0; nth < 6; nth++) {
          const url = `${deps.publicUrl}/api/v1/score/${exampleOf("ordinary")}`;
          const request = new Request(url, {
            headers: { Host: host, "X-Api-Key": key },
          });
          const { status, body } = await app.fetch(
            request,
            connectionFrom("192.0.2.1") as never,
          );
          await body?.cancel();
          statuses.push(status);
        }
        assertEquals(statuses, [400, 400, 400, 400, 429, 429]);
      });
    }
  }
});

Deno.test("requests that a quota is charged for are given back", async () => {
  using service = await limited(2);
  const { key } = await enrol(service.deps);
  for (let nth = 0; nth < 20; nth++) {
    const { status, body } = await service.ask(
      `/api/v1/score/${exampleOf("ordinary")}`,
      { headers: { "X-Api-Key": key } },
    );
    await body?.cancel();
    assertEquals(status, 200);
  }
});
