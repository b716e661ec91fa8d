/** Hostile input to every route: no answer is a 500 or reveals internals. */
import { KINDS, type RequestsOf } from "../support/hostile/hostile_sample.ts";
import { hostileService } from "../support/hostile/hostile_service.ts";
import { fc } from "../support/properties.ts";

/** Sends random requests of a kind; `send` asserts the rules of each answer. */
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

Deno.test("every operation answers any parameters with a documented status", async () => {
  await assertWithstands(KINDS.parameters, { numRuns: 1_500 });
});

Deno.test("every operation answers any body with a documented status", async () => {
  await assertWithstands(KINDS.bodies, { numRuns: 1_000 });
});

Deno.test("every route withstands unusual paths, methods and headers", async () => {
  await assertWithstands(KINDS.oddities, { numRuns: 900 });
});
