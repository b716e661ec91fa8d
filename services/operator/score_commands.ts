/** Operator command that scores an address by any model of the schedule. */
import {
  type Command,
  isAddress,
  print,
  readOptions,
  refuseWallet,
  usageError,
} from "./command.ts";
import type { ScoresDeps } from "../scores/deps.ts";
import { findScore, modelsOf } from "../scores/scores.ts";

/** Prints the score of an address from its stored signals, by a model. */
export const scoreAddress: Command<ScoresDeps> = {
  name: "score",
  usage: "score <address> [--model <id>]",
  description:
    "prints the score of an address from its stored signals, also by another model",
  readsSnapshot: true,
  async run(deps, args) {
    const { positional: [address], model: id } = readOptions(args, "model");
    if (!isAddress(address)) return refuseWallet(address);
    const model = id === undefined
      ? modelsOf(deps, deps.now().getTime()).current
      : deps.modelSchedule.find(({ model }) => model.id === id)?.model;
    if (model === undefined) {
      const ids = deps.modelSchedule.map(({ model }) => model.id);
      return usageError(
        `Invalid model "${id}": expected one of ${ids.join(", ")}`,
      );
    }
    const found = await findScore(deps, address.toLowerCase(), model);
    print(
      found === null
        ? "no signals are stored"
        : JSON.stringify(found.read, null, 2),
    );
    return found === null ? 1 : 0;
  },
};
