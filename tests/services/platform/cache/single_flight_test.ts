/** Shared runs: who gets the result of a run, and who runs again after a refusal. */
import { assertEquals } from "@std/assert";
import { singleFlight } from "../../../../services/platform/cache/shared_work.ts";
import { callsUsedUp } from "../../../../services/platform/fault.ts";

Deno.test("singleFlight() gives all callers an error, and runs again for those that a refusal does not concern", async () => {
  const refused = callsUsedUp("scoringBusy", {
    upstream: "up.test",
    requester: "a",
    usedBy: "network",
    retryAfterMs: 1,
  });
  const cases: [error: Error, runs: string[], outcomes: string[]][] = [
    [new Error("down"), ["a"], ["down", "down", "down", "down"]],
    [refused, ["a", "b"], ["refused", "b", "refused", "b"]],
  ];
  for (const [error, expected, outcomes] of cases) {
    const runOnce = singleFlight();
    const runs: string[] = [];
    const ask = (client: string) =>
      runOnce("key", async () => {
        runs.push(client);
        await null;
        if (client === "a") throw error;
        return client;
      }, client).catch((thrown) => thrown === refused ? "refused" : "down");
    const asked = ["a", "b", "a", "c"].map(ask);
    assertEquals(await Promise.all(asked), outcomes);
    assertEquals(runs, expected);
    assertEquals(await ask("d"), "d", "nothing is kept");
  }
});
