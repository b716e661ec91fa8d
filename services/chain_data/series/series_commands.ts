/** The operator's commands about chain data. */
import type { ChainDataDeps } from "../deps.ts";
import { METRIC_NAMES } from "../metrics_schema.ts";
import {
  type Command,
  print,
  usageError,
} from "../../platform/operator/command.ts";

/** Forgets a stored series. */
export const forgetSeries: Command<ChainDataDeps> = {
  name: "forget-series",
  usage: "forget-series <chainId> <metric>",
  description:
    "forgets a stored series, so that it is read anew as upstream has it\n" +
    "      now: for a history that upstream really did cut",
  async run({ store }, [chainId, name]) {
    const metric = METRIC_NAMES.find((metric) => metric === name);
    if (!/^[1-9]\d{0,14}$/.test(chainId ?? "") || metric === undefined) {
      return usageError(
        `Cannot forget series "${chainId ?? ""} ${name ?? ""}": accepted are ` +
          `a chain id and one of ${METRIC_NAMES.join(", ")}`,
      );
    }
    const id = { subject: Number(chainId), metric };
    const forgotten = await store.series.remove(id);
    print(forgotten ? "forgotten" : "nothing stored");
    return forgotten ? 0 : 1;
  },
};
