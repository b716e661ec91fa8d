/** Reads the signals of one's own addresses within the budget of jobs, and keeps them in a file. */
import { SERVICE } from "../../services/platform/rate_limit/call_budget.ts";
import { readConfig } from "../../services/config.ts";
import { openDeps } from "../../services/deps.ts";
import { Fault } from "../../services/platform/fault.ts";
import { openRuntime, readEnvironment } from "../../services/runtime.ts";
import { readSignals } from "../../services/scores/signals/address_signals.ts";
import type { Label, LabelledWallet } from "./labelled.ts";

/**
 * Reads addresses that the file beside the labels does not have, and appends them; a run
 * that was stopped goes on where it was. An address whose sources are down is left out,
 * and read by the next run; `onLeftOut` gets it with the reason. Returns the file.
 */
export async function readWallets(
  labels: readonly Label[],
  path: string,
  onLeftOut: (address: string, reason: string) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const file = `${path}.wallets.jsonl`;
  const config = readConfig(readEnvironment());
  const runtime = await openRuntime(config);
  using _ = { [Symbol.dispose]: () => runtime.kv.close() };
  const deps = openDeps(config, runtime);
  const known = await readAddresses(file);
  for (const { address, list, label } of labels) {
    if (known.has(address)) continue;
    try {
      const { signals: chain } = await readSignals(deps, address, {
        priority: "job",
        requester: SERVICE,
      });
      const { firstTxAt, recentTxAt, nonce, gasAvax, use } = chain;
      const units = use.days.reduce((sum, { gasUnits }) => sum + gasUnits, 0);
      const wallet: LabelledWallet = {
        address,
        list,
        label,
        firstTxAt,
        recentTxAt,
        nonce,
        gas: { eth: gasAvax, units },
        use,
        chain,
      };
      await Deno.writeTextFile(file, `${JSON.stringify(wallet)}\n`, {
        append: true,
      });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      onLeftOut(address, error.message);
    }
  }
  return await Deno.readFile(file);
}

async function readAddresses(file: string): Promise<Set<string>> {
  const text = await Deno.readTextFile(file).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  });
  const lines = text.split("\n").filter((line) => line !== "");
  return new Set(lines.map((line): string => JSON.parse(line).address));
}
