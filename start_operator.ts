/** Starts the operator's command line with the permissions that its command needs, and waits for its end. */
import { startFlags } from "./services/operator/start_flags.ts";

const { args } = Deno;
const temp = ["TMPDIR", "TMP", "TEMP"].map((name) => Deno.env.get(name))
  .find((folder) => folder) ?? "/tmp";
const flags = startFlags("operator", Deno.env.toObject(), { args, temp });
const operator = new Deno.Command(Deno.execPath(), {
  args: ["run", ...flags, "operator.ts", ...args],
}).spawn();
// An interrupt of the terminal reaches the operator itself.
Deno.addSignalListener("SIGINT", () => {});
Deno.addSignalListener("SIGTERM", () => operator.kill("SIGTERM"));
Deno.exit((await operator.status).code);
