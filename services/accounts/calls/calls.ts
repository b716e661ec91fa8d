/** The last calls of a wallet, as shown to its owner. */
import type { AccountsDeps } from "../deps.ts";
import type { CallsAnswer } from "./call_log_schema.ts";

/** Reads the last calls of a wallet, newest first. Those of this process are written first. */
export async function readCalls(
  { callLog, now, store }: Pick<AccountsDeps, "callLog" | "now" | "store">,
  wallet: string,
): Promise<CallsAnswer> {
  const at = now().getTime();
  await callLog.writeOf(wallet);
  const [{ calls }, keys] = await Promise.all([
    store.callLogs.read(wallet, at),
    store.apiKeys.list(wallet, at),
  ]);
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  return {
    calls: calls.map(({ at, keyId, ...call }) => ({
      at: new Date(at).toISOString(),
      keyId,
      keyName: names.get(keyId) ?? null,
      ...call,
    })),
  };
}
