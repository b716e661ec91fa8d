/** Runs the examples of the reference against a service, in each language, and its forms in a browser. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import type { OpenApi } from "../../routes/docs/openapi_document.ts";
import { operationsOf } from "../../routes/docs/reference.ts";
import { newProfile } from "../../services/profiles/profile.ts";
import {
  inBrowser,
  openBrowser,
  UNTROUBLED,
} from "../support/browser/browser.ts";
import { assertFits } from "../support/browser/looks.ts";
import { SIGNING } from "../support/attestations.ts";
import { enrol } from "../support/callers.ts";
import { fill } from "../support/chain_data/downloads.ts";
import { testDeps } from "../support/deps.ts";
import { succeed } from "../support/jobs.ts";
import { newOwner } from "../support/owners.ts";
import { freePort } from "../support/processes/service.ts";
import { isSkipped } from "../support/tool.ts";

const IS_SKIPPED = isSkipped(
  "curl and python3",
  ["curl", "python3"].every((program) =>
    new Deno.Command("sh", {
      args: ["-c", `command -v ${program}`],
      stdout: "null",
    }).outputSync().success
  ),
);

/** Serves what the examples ask for, with a key and a session. */
async function openReference() {
  const port = freePort();
  const url = `http://localhost:${port}`;
  const deps = await testDeps({ settings: { PUBLIC_URL: url, ...SIGNING } });
  await fill(deps);
  await succeed(deps, "build-downloads");
  const owner = newOwner(deps);
  await owner.signIn();
  const caller = await enrol(deps, { plan: "growth", wallet: owner.wallet });
  const at = deps.now().getTime();
  await deps.store.profiles.change(owner.wallet, () => ({
    profile: { ...newProfile(at), slug: "ada" },
    audit: { at, event: "profile.update", requestId: null },
  }));
  const server = Deno.serve(
    { port, hostname: "localhost", onListen() {} },
    createApp(deps).fetch,
  );
  return {
    url,
    key: caller.key,
    session: owner.cookie(),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      deps[Symbol.dispose]();
    },
  };
}

/** Runs every file of a folder in one process each language, and prints the status of each. */
const RUNNERS: Readonly<Record<string, (folder: string) => string[]>> = {
  sh: (folder) => [
    "bash",
    "-c",
    `for file in ${folder}/*.sh; do
      echo "$(basename $file .sh) $(eval "$(cat $file)"' -s -o /dev/null -w "%{http_code}"')"
    done`,
  ],
  ts: (folder) => [
    Deno.execPath(),
    "eval",
    "--quiet",
    `for (const { name } of [...Deno.readDirSync("${folder}")]) {
      if (!name.endsWith(".ts")) continue;
      console.log = (status) => Deno.stdout.writeSync(
        new TextEncoder().encode(name.slice(0, -3) + " " + status + "\\n"));
      try { await import("file://${folder}/" + name); }
      catch (error) { console.log(String(error)); }
    }`,
  ],
  py: (folder) => [
    "python3",
    "-c",
    `import glob, os, urllib.error
for file in sorted(glob.glob("${folder}/*.py")):
    name = os.path.basename(file)[:-3]
    try:
        shown = []
        exec(open(file).read(), {"print": lambda status, *_: shown.append(status)})
        print(name, shown[0])
    except urllib.error.HTTPError as error:
        print(name, error.code)
`,
  ],
};

Deno.test({
  name:
    "the examples of the reference that read run in curl, TypeScript and Python, and get the same status",
  ignore: IS_SKIPPED,
  async fn() {
    await using service = await openReference();
    const { url } = service;
    const document: OpenApi = await (await fetch(`${url}/openapi.json`)).json();
    const operations = document.tags
      .flatMap(({ name }) => operationsOf(document, name, url))
      .filter(({ id, method }) => method === "GET" || id === "postBatch");
    const folder = await Deno.makeTempDir({ prefix: "firn_reference_" });
    for (const { id, examples } of operations) {
      for (const { lang, text } of examples) {
        await Deno.writeTextFile(`${folder}/${id}.${lang}`, text);
      }
    }
    const statuses: Record<string, Record<string, string>> = {};
    for (const [lang, commandOf] of Object.entries(RUNNERS)) {
      const [program, ...args] = commandOf(folder);
      const { stdout, stderr } = await new Deno.Command(program!, {
        args,
        env: {
          FIRN_KEY: service.key,
          FIRN_SESSION: service.session,
          NO_COLOR: "1",
        },
      }).output();
      const lines = new TextDecoder().decode(stdout).trim().split("\n");
      assertEquals(
        lines.length,
        operations.length,
        new TextDecoder().decode(stderr),
      );
      for (const line of lines) {
        const [id, status] = line.split(" ") as [string, string];
        (statuses[id] ??= {})[lang] = status;
      }
    }
    await Deno.remove(folder, { recursive: true });
    const failed = Object.entries(statuses).filter(([, { sh, ts, py }]) =>
      sh !== "200" || ts !== sh || py !== sh
    );
    assertEquals(failed, []);
    assert(operations.length >= 25, `${operations.length} operations`);
  },
});

inBrowser.test("a form of the reference is filled in and sent by keyboard, and its key is never in an address", async () => {
  await using service = await openReference();
  await using browser = openBrowser();
  const opened = await browser.newPage();
  const { page, requests, troubles } = opened;
  await page.goto(`${service.url}/docs/reference/scores`);
  const operation = page.locator("section.operation").filter({
    has: page.locator("#getScore"),
  });
  await operation.getByText("Try it").focus();
  await page.keyboard.press("Enter");
  const key = operation.getByLabel("API key");
  await key.focus();
  await page.keyboard.type(service.key);
  await page.keyboard.press("Enter");
  await operation.getByText("Status 200 after").waitFor();
  const answer = operation.getByLabel("The answer");
  assertStringIncludes(await answer.innerText(), '"headline"');
  await assertFits(opened);
  // A key in the wrong field would get into the address.
  const address = operation.getByLabel("address");
  await address.fill(service.key);
  await page.keyboard.press("Enter");
  await operation.getByText("Nothing was sent.").waitFor();
  assertEquals(await answer.isVisible(), false);
  assertEquals(
    [...requests, page.url()].filter((one) => one.includes(service.key)),
    [],
  );
  assertEquals(troubles, UNTROUBLED);
  const plain = await browser.newPage({ runsScripts: false });
  await plain.page.goto(`${service.url}/docs/reference/scores`);
  assertEquals(
    await plain.page.getByText("Try it").first().isVisible(),
    false,
  );
});
