/** Operator commands for chain data. */
import type { ChainDataDeps } from "../chain_data/deps.ts";
import { METRIC_NAMES } from "../chain_data/catalogue/metrics_schema.ts";
import { type Command, print, usageError } from "./command.ts";

/** Deletes a stored series, so that it is fetched again. */
export const forgetSeries: Command<ChainDataDeps> = {
  name: "forget-series",
  usage: "forget-series <chainId> <metric>",
  description:
    "deletes a stored series, so that the whole history is fetched again",
  async run({ store }, [chainId, name]) {
    const metric = METRIC_NAMES.find((metric) => metric === name);
    if (!/^[1-9]\d{0,14}$/.test(chainId ?? "") || metric === undefined) {
      return usageError(
        `Invalid series "${chainId ?? ""} ${name ?? ""}": expected ` +
          `a chain id and one of ${METRIC_NAMES.join(", ")}`,
      );
    }
    const id = { subject: Number(chainId), metric };
    const forgotten = await store.series.remove(id);
    print(forgotten ? "forgotten" : "nothing stored");
    return forgotten ? 0 : 1;
  },
};
