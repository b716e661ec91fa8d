/** Opens the database of the settings, and prints why it cannot. */
import { readConfig } from "../../../services/config.ts";
import { openRuntime, readEnvironment } from "../../../services/runtime.ts";
import { runProgram } from "../../../services/start_error.ts";

await runProgram(async () => {
  const { kv } = await openRuntime(readConfig(readEnvironment()));
  kv.close();
  // deno-lint-ignore no-console
  console.log("opened");
});
