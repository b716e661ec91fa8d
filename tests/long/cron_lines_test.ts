/** What the platform prints while its crons fail: waits for the next minute of the clock. */
import { assert, assertEquals } from "@std/assert";
import { startService, until } from "../support/processes/service.ts";

Deno.test("every line of a service whose crons fail is one JSON object", async () => {
  const closed = "http://127.0.0.1:9";
  const kvPath = await Deno.makeTempFile({ prefix: "firn_test_" });
  {
    await using service = await startService({
      KV_PATH: kvPath,
      METRICS_API_URL: closed,
      EXPLORER_API_URL: `${closed}/v2/network/mainnet/evm/43114/etherscan/api`,
      C_CHAIN_RPC_URL: closed,
      P_CHAIN_RPC_URL: closed,
    });
    const failed = () =>
      service.output().includes('"job.failed","job":"refresh-series"');
    await until(service, failed);
    // The platform prints after the run.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const lines = service.output().trim().split("\n");
    for (const line of lines) {
      assertEquals(typeof JSON.parse(line).event, "string", line);
    }
    assert(lines.length > 1);
  }
  await Deno.remove(kvPath);
});
