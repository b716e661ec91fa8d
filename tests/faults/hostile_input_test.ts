/** Hostile input to everything that is served: described or not, it is never a 500 and gives nothing away. */
import * as fc from "fast-check";
import { KINDS, type RequestsOf } from "../support/hostile/hostile_sample.ts";
import { hostileService } from "../support/hostile/hostile_service.ts";

/** Sends requests of a kind; `send` asserts what has to hold of each answer. */
async function assertWithstands(
  kind: RequestsOf,
  options: { readonly numRuns: number },
): Promise<void> {
  using service = await hostileService();
  const sends = fc.asyncProperty(kind(service), async (request) => {
    await service.send(request);
  });
  await fc.assert(sends, options);
}

Deno.test("every operation answers any parameter with what it describes", async () => {
  await assertWithstands(KINDS.parameters, { numRuns: 4_500 });
});

Deno.test("every operation answers any body with what it describes", async () => {
  await assertWithstands(KINDS.bodies, { numRuns: 3_000 });
});

Deno.test("every route withstands odd paths, methods and headers", async () => {
  await assertWithstands(KINDS.oddities, { numRuns: 2_500 });
});
