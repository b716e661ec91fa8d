/** The SDK as JSR takes it: three programs of Deno check its types, each from the start. */
import { assert } from "@std/assert";
import { VERSION } from "../../services/platform/version.ts";
import { ROOT } from "../support/processes/service.ts";
import { run } from "../support/sdk/published.ts";

const SDK = new URL("sdk/", ROOT);

Deno.test("the JSR package has no slow types, no undocumented symbol, and all that it needs", async () => {
  const report = await run(Deno.execPath(), [
    "publish",
    "--dry-run",
    "--allow-dirty",
    `--set-version=${VERSION}`,
  ], { cwd: SDK });
  for (const name of ["mod.ts", "attestation.ts", "README.md", "LICENSE"]) {
    assert(report.includes(`/sdk/${name} `), name);
  }
  await run(Deno.execPath(), ["doc", "--lint", "mod.ts", "attestation.ts"], {
    cwd: SDK,
  });
  // The examples of its README compile.
  const imports = { "@firn/sdk": new URL("mod.ts", SDK).href };
  const map = `data:application/json,${JSON.stringify({ imports })}`;
  const flags = ["--no-config", "--no-lock", `--import-map=${map}`];
  await run(Deno.execPath(), ["check", ...flags, "--doc-only", "README.md"], {
    cwd: SDK,
  });
});
