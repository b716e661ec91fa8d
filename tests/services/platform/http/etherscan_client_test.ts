/** Calls to the explorer index with an API key. */
import { SERVICE } from "../../../../services/platform/rate_limit/call_budget.ts";
import { assertEquals } from "@std/assert";
import { exampleOf } from "../../../../simnet/accounts.ts";
import { readScore } from "../../../../services/scores/scores.ts";
import { testDeps } from "../../../support/deps.ts";

Deno.test("withApiKey() adds the key to every call, and neither the store nor the log has it", async () => {
  const settings = { EXPLORER_API_KEY: "s3cret-of-the-index" };
  using deps = await testDeps({ settings });
  const { explorer } = deps.upstreams;
  await readScore(deps, exampleOf("heavy"), { requester: SERVICE });
  explorer.switch.set({ mode: "status" });
  await readScore(deps, exampleOf("new"), { requester: SERVICE }).catch(
    () => {},
  );
  const keys = explorer.calls.map(({ path }) =>
    new URLSearchParams(path.split("?")[1]).get("apikey")
  );
  assertEquals(keys, Array(4).fill(settings.EXPLORER_API_KEY));
  const entries = await Array.fromAsync(deps.kv.list({ prefix: [] }));
  const stored = Deno.inspect(entries, { depth: 9, iterableLimit: 1e4 });
  const shown = `${stored}${deps.lines.join()}`;
  assertEquals(shown.includes(settings.EXPLORER_API_KEY), false);
});
