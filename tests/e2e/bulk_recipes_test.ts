/** The recipes of the guide on bulk files, each run with the real tool. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { DefaultSettings, TaskUtils } from "@microsoft/powerquery-parser";
import { createApp } from "../../routes/app.ts";
import { metricColumns } from "../../services/downloads/downloads_schema.ts";
import type { Metric } from "../../services/chain_data/catalogue/metrics_schema.ts";
import {
  buildDownloads,
  bytesOfFile,
  CHAINS,
} from "../support/chain_data/downloads.ts";
import { askMetrics } from "../support/chain_data/metrics_answers.ts";
import type { TestDeps } from "../support/deps.ts";
import { isSkipped } from "../support/tool.ts";

const ROOT = new URL("../../", import.meta.url);
const GUIDE = await Deno.readTextFile(
  new URL("routes/docs/guides/bulk-files.md", ROOT),
);
const EXAMPLE = "https://firn.example";

/** Debian's Python: its pandas is not for others. */
const PYTHON = "/usr/bin/python3";

/** Returns the code of a language in the guide, with another base URL. */
function codeOf(language: string, base: string): string {
  const [, code] = new RegExp(`\`\`\`${language}\n([^\`]+)\`\`\``).exec(GUIDE)!;
  return code!.replaceAll(EXAMPLE, base);
}

async function run(
  command: string,
  args: readonly string[],
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd: ROOT,
  }).output();
  const [out, error] = [stdout, stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  if (!success) throw new Error(error);
  return out!;
}

const deno = (...args: string[]) =>
  run(Deno.execPath(), [
    "run",
    "-A",
    "--quiet",
    "--no-check",
    "--lock=tests/deno.lock",
    ...args,
  ]);

/** Returns what the API answers for the files of 2026: the sum of the complete days by chain. */
async function sumsOf(deps: TestDeps, metric: Metric) {
  const sums: Record<string, number> = {};
  for (const chainId of Object.keys(CHAINS)) {
    const { body } = await askMetrics(
      deps,
      `metric=${metric}&chainId=${chainId}&from=2026-01-01&to=2026-11-20`,
    );
    sums[chainId] = body.series.filter(({ complete }) => complete)
      .reduce((sum, { value }) => sum + value, 0);
  }
  return sums;
}

function serve(deps: TestDeps) {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    createApp(deps).fetch,
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("DuckDB reads Parquet with the right types, and the guide's query has the sums of the API", async () => {
  using deps = await buildDownloads();
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/downloads`);
    const file = `${folder}/downloads/txCount-2026.parquet`;
    await Deno.writeFile(
      file,
      await bytesOfFile(deps, "txCount-2026.parquet"),
    );
    const query = async (sql: string) =>
      JSON.parse(await deno("tests/support/chain_data/duckdb_query.ts", sql));
    const { types, rows } = await query(
      `SELECT * FROM '${file}' WHERE chainId = 43114 AND day = DATE '2026-03-01'`,
    );
    assertEquals(types, {
      chainId: "BIGINT",
      chainName: "VARCHAR",
      day: "DATE",
      value: "DOUBLE",
      complete: "BOOLEAN",
      inferred: "BOOLEAN",
      revisedAt: "TIMESTAMP",
    });
    const [{ chainName, day, complete, revisedAt }] = rows;
    assertEquals(
      [chainName, day, complete, revisedAt],
      ["C-Chain", "2026-03-01", true, null],
    );
    const sums = await query(codeOf("sql", folder).replaceAll(";", ""));
    const names = Object.fromEntries(
      Object.entries(await sumsOf(deps, "txCount")).map((
        [id, sum],
      ) => [CHAINS[Number(id) as keyof typeof CHAINS], sum]),
    );
    assertEquals(
      Object.fromEntries(
        sums.rows.map((
          { chainName, transactions }: Record<string, unknown>,
        ) => [chainName, transactions]),
      ),
      names,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const hasPandas = (() => {
  try {
    return new Deno.Command(PYTHON, { args: ["-c", "import pandas"] })
      .outputSync().success;
  } catch {
    return false;
  }
})();

Deno.test({
  name: "pandas reads CSV with the right types, and the sums of the API",
  ignore: isSkipped("pandas", hasPandas),
  async fn() {
    using deps = await buildDownloads();
    await using server = serve(deps);
    const out = await run(PYTHON, [
      "-W",
      "error::FutureWarning",
      "-c",
      `${
        codeOf("python", server.url)
      }\nprint("#")\nprint(frame.dtypes.astype(str).to_json())\nprint(wide.sum().to_json())`,
    ]);
    const [types, sums] = out.split("#\n")[1]!.trim().split("\n")
      .map((line) => JSON.parse(line));
    assertEquals(
      [types.chainId, types.day, types.value, types.complete, types.inferred],
      ["int64", "datetime64[ns]", types.value, "bool", "bool"],
    );
    assertMatch(types.value, /^(int|float)64$/);
    assertEquals(sums, await sumsOf(deps, "txCount"));
  },
});

const hasR = (() => {
  try {
    return new Deno.Command("Rscript", { args: ["--version"] })
      .outputSync().success;
  } catch {
    return false;
  }
})();

Deno.test({
  name: "R reads CSV with the right types, and the sums of the API",
  ignore: isSkipped("R", hasR),
  async fn() {
    using deps = await buildDownloads();
    await using server = serve(deps);
    const out = await run("Rscript", [
      "--vanilla",
      "-e",
      `${codeOf("r", server.url)}
cat("#\n", class(frame$day), "\n", class(frame$value), "\n")
cat(paste(totals$chainId, totals$value), sep = "\n")`,
    ]);
    const [day, value, ...rows] = out.split("#\n")[1]!.trim().split(/\s*\n\s*/);
    assertEquals([day, value], ["Date", "integer"]);
    assertEquals(
      Object.fromEntries(
        rows.map((row) => row.split(" ").map(Number) as [number, number]),
      ),
      await sumsOf(deps, "txCount"),
    );
  },
});

Deno.test("the guide's Power Query script is valid M, and names columns that exist", async () => {
  const [, script] = /## Excel[^`]+```text\n([^`]+)```/.exec(GUIDE)!;
  const parse = (text: string) => TaskUtils.tryLexParse(DefaultSettings, text);
  assert(TaskUtils.isParseStageOk(await parse(script!)));
  const broken = script!.replace("in\n", "\n");
  assert(!TaskUtils.isParseStageOk(await parse(broken)), "it finds mistakes");
  const columns = metricColumns("txCount").map(({ name }) => name);
  for (const [, column] of script!.matchAll(/\[(\w+)\]/g)) {
    assert(columns.includes(column!), column);
  }
});

Deno.test("the guide's JavaScript reads Parquet over HTTP, as Observable does", async () => {
  using deps = await buildDownloads();
  await using server = serve(deps);
  const file = await Deno.makeTempFile({ suffix: ".js" });
  try {
    const code = codeOf("js", server.url)
      .replace("npm:hyparquet", "npm:hyparquet@1.31.5");
    await Deno.writeTextFile(
      file,
      `${code}\nconst sum = rows.filter(({ chainId }) => chainId === 43114n)\n` +
        "  .reduce((sum, { value }) => sum + value, 0);\nconsole.log(sum);",
    );
    const { body } = await askMetrics(
      deps,
      "metric=txCount&from=2026-01-01&to=2026-11-20",
    );
    assertEquals(
      Number(await deno("--config=deno.json", file)),
      body.series.reduce((sum, { value }) => sum + value, 0),
    );
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("the URL of the guide's IMPORTDATA is CSV with a header and numbers without thousands separators", async () => {
  using deps = await buildDownloads();
  const [, path] = /IMPORTDATA\("https:\/\/firn\.example([^"]+)"\)/.exec(
    GUIDE,
  )!;
  const response = await createApp(deps).request(path!);
  assertMatch(response.headers.get("Content-Type")!, /^text\/csv/);
  const [header, ...rows] = (await response.text()).trimEnd().split("\r\n");
  assertEquals(header, "period,txCount,complete");
  for (const row of rows) {
    assertMatch(row, /^\d{4}-\d\d-\d\d,\d+(\.\d+)?,(true|false)$/);
  }
});

Deno.test("the files that the guide reads exist, under the names that it uses", async () => {
  using deps = await buildDownloads();
  const app = createApp(deps);
  const paths = [...GUIDE.matchAll(/https:\/\/firn\.example(\/[\w./-]+)/g)]
    .map(([, path]) => path!.replace(/\.$/, ""));
  for (const path of new Set(paths)) {
    const { status, body, headers } = await app.request(path);
    await body?.cancel();
    const to = headers.get("Location");
    const led = to === null ? null : await app.request(to);
    await led?.body?.cancel();
    // An example follows redirects, and a signature needs a key.
    assertEquals(led?.status ?? status, path.endsWith(".minisig") ? 404 : 200);
  }
});
