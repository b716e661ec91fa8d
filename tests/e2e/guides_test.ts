/** Runs every example of the guides against a running service. */
import { assert, assertEquals } from "@std/assert";
import { marked, type Tokens } from "marked";
import { GUIDE_SLUGS } from "../../routes/docs/guides.ts";
import { startFlags } from "../../services/operator/start_flags.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { SIGNING } from "../support/attestations.ts";
import {
  freePort,
  startOperator,
  startProgram,
  untilAnswers,
} from "../support/processes/service.ts";
import { isSkipped } from "../support/tool.ts";

const ROOT = new URL("../../", import.meta.url);
const WALLET = `0x${"aa".repeat(20)}`;

/** Guides whose examples need a live key. */
const NEEDS_LIVE_KEY = ["attestations", "typescript-sdk"];

/** The import map of the examples: the packages of this project, and its SDK. */
const IMPORT_MAP = "import_map.json";

/** The commands that run a file of each language, with the examples in a folder. */
const runnersIn = (folder: string): Readonly<
  Record<string, readonly [program: string, ...args: string[]]>
> => ({
  sh: ["bash", "-eu"],
  ts: [
    Deno.execPath(),
    "run",
    "--quiet",
    "--config=deno.json",
    `--import-map=${folder}/${IMPORT_MAP}`,
    "--lock=tests/deno.lock",
    "--allow-net",
    "--allow-env",
    "--allow-read",
  ],
  py: ["python3"],
});

async function writeImportMap(folder: string): Promise<void> {
  const config = await Deno.readTextFile(new URL("deno.json", ROOT));
  const { viem } = JSON.parse(config).imports;
  const imports = {
    viem,
    "viem/": `${viem.replace("npm:", "npm:/")}/`,
    "@firn/sdk": new URL("sdk/mod.ts", ROOT).href,
    "@firn/sdk/attestation": new URL("sdk/attestation.ts", ROOT).href,
  };
  const file = `${folder}/${IMPORT_MAP}`;
  await Deno.writeTextFile(file, JSON.stringify({ imports }));
}

const IS_SKIPPED = isSkipped("curl and python3", has("curl") && has("python3"));

function has(program: string): boolean {
  const args = ["-c", `command -v ${program}`];
  return new Deno.Command("bash", { args, stdout: "null" })
    .outputSync().success;
}

Deno.test({
  name: "every example of every guide runs, and returns what the guide shows",
  ignore: IS_SKIPPED,
  async fn(t) {
    const folder = await Deno.makeTempDir({ prefix: "firn_guides_" });
    await writeImportMap(folder);
    await using simnet = startSimnet();
    const port = freePort();
    const url = `http://localhost:${port}`;
    const settings = {
      PORT: String(port),
      KV_PATH: `${folder}/guides.sqlite3`,
      TREASURY_ADDRESS: `0x${"71".repeat(20)}`,
      ...SIGNING,
      ...settingsOf(simnet),
    };
    const operate = async (...args: string[]) => {
      await using running = startOperator(settings, ...args);
      const { success } = await running.process.status;
      assert(success, running.output());
      return /firn_\w+/.exec(running.output())?.[0] ?? "";
    };
    await operate("plan", "grant", WALLET, "growth");
    const live = await operate("key", "create", WALLET);
    const test = await operate("key", "create", WALLET, "--test");
    await using service = startProgram(
      ["run", ...startFlags("service", settings), "main.ts"],
      settings,
    );
    await untilAnswers(`${url}/api/chain-data`, service);
    for (const slug of GUIDE_SLUGS) {
      const response = await fetch(`${url}/docs/${slug}.md`);
      assertEquals(response.status, 200, slug);
      const key = NEEDS_LIVE_KEY.includes(slug) ? live : test;
      await runGuide(t, { slug, text: await response.text(), key, folder });
    }
    await Deno.remove(folder, { recursive: true });
  },
});

/** Runs the examples of one guide. A JSON block must be part of the response of the curl command before it. */
async function runGuide(
  t: Deno.TestContext,
  { slug, text, key, folder }: {
    readonly slug: string;
    readonly text: string;
    readonly key: string;
    readonly folder: string;
  },
): Promise<void> {
  const runners = runnersIn(folder);
  let answered: string | undefined;
  for (const [at, token] of marked.lexer(text).entries()) {
    if (token.type === "heading") answered = undefined;
    if (token.type !== "code") continue;
    const { lang = "", text: code } = token as Tokens.Code;
    if (lang === "json" && answered !== undefined) {
      const shown = JSON.parse(answered);
      await t.step(`${slug} ${at}: the JSON shown`, () => {
        assertEquals(partOf(shown, JSON.parse(code)), JSON.parse(code));
      });
    }
    if (!Object.hasOwn(runners, lang)) continue;
    await t.step(`${slug} ${at}: ${lang}`, async () => {
      const file = `${folder}/${slug}_${at}.${lang}`;
      await Deno.writeTextFile(file, code);
      const [program, ...args] = runners[lang]!;
      const { success, stdout, stderr } = await new Deno.Command(program, {
        args: [...args, file],
        cwd: ROOT,
        env: { FIRN_KEY: key, NO_COLOR: "1" },
      }).output();
      const output = new TextDecoder().decode(stdout);
      assert(success, `${code}\n${new TextDecoder().decode(stderr)}`);
      assert(output.trim() !== "", "no output");
      if (lang === "sh") answered = output;
    });
  }
}

/** Returns the fields of a value that a pattern has too, recursively. */
function partOf(value: unknown, pattern: unknown): unknown {
  if (!isObject(value) || !isObject(pattern)) return value;
  return Object.fromEntries(
    Object.keys(pattern).map((
      name,
    ) => [name, partOf(value[name], pattern[name])]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
