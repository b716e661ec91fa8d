/** Recipes that compute with the API's CSV: DuckDB and pandas. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { ROOT } from "../../support/processes/service.ts";
import {
  ask,
  openService,
  readExamples,
  run,
} from "../../support/recipes/recipe_service.ts";
import { isSkipped } from "../../support/tool.ts";

/** Returns SQL with a file for each URL: DuckDB downloads its HTTP client when it is first used. */
async function withFiles(sql: string, folder: string): Promise<string> {
  let text = sql;
  for (const [quoted, url] of sql.matchAll(/'(http[^']+)'/g)) {
    const file = `${folder}/${crypto.randomUUID()}`;
    await Deno.writeTextFile(file, await (await ask(url!)).text());
    text = text.replace(quoted, `'${file}'`);
  }
  return text;
}

/** Runs queries with DuckDB. */
async function runDuckDb(
  queries: readonly string[],
): Promise<{ types: string[]; rows: Record<string, unknown>[] }[]> {
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--lock=tests/deno.lock",
      "tests/support/recipes/duckdb_worker.ts",
    ],
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(queries)));
  await writer.close();
  const { success, stdout } = await process.output();
  assert(success);
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("DuckDB: every query has the right types and the figures of the API", async () => {
  await using service = await openService();
  const { url, folder } = service;
  const queries = await readExamples("duckdb-and-pandas", {
    lang: "sql",
    url,
  });
  const metrics = `${url}/api/chain-data/metrics?metric=txCount&range=90d`;
  const { series } = await (await ask(metrics)).json();
  const whole = series.filter(({ complete }: { complete: boolean }) =>
    complete
  );
  const local = await Promise.all(queries.map((sql) => withFiles(sql, folder)));
  const [week, ratio, disputes] = await runDuckDb(local);
  assertEquals(week!.types, ["DATE", "BIGINT", "DOUBLE"]);
  assertEquals(
    week!.rows.map(({ period, txCount }) => [period, Number(txCount)]),
    whole.map(({ day, value }: { day: string; value: number }) => [day, value]),
  );
  assertEquals(ratio!.types, ["DATE", "DOUBLE"]);
  assertEquals(ratio!.rows.length, whole.length);
  const listed = await (await ask(`${url}/api/chain-data/disputes`)).json();
  assertEquals(disputes!.types, ["VARCHAR", "DATE", "DOUBLE"]);
  assertEquals(disputes!.rows.length, listed.count);
});

/** The Python that has pandas: apt installs it beside the system's own. */
function findPandas(): string | undefined {
  return ["python3", "/usr/bin/python3"].find((python) => {
    try {
      const args = ["-c", "import pandas"];
      return new Deno.Command(python, { args, stderr: "null" })
        .outputSync().success;
    } catch {
      return false;
    }
  });
}

const PANDAS = findPandas();

Deno.test({
  name: "pandas: every example prints the sums of the API",
  ignore: isSkipped("python3-pandas", PANDAS !== undefined),
  async fn() {
    await using service = await openService();
    const examples = await readExamples("duckdb-and-pandas", {
      lang: "python",
      ...service,
    });
    const outputs = await Promise.all(examples.map(async (code) => {
      const { code: exit, output, all } = await run(PANDAS!, ["-c", code], {
        cwd: service.folder,
      });
      assertEquals(exit, 0, all);
      return output;
    }));
    const { series } = await (await ask(
      `${service.url}/api/chain-data/metrics?metric=txCount&range=1y`,
    )).json();
    const october = series
      .filter(({ day }: { day: string }) => day.startsWith("2026-10"))
      .reduce((sum: number, { value }: { value: number }) => sum + value, 0);
    assert(outputs[0]!.includes(`2026-10-01    ${october}`), outputs[0]);
    assertMatch(outputs[1]!, /avaxPerTransaction/);
    const { series: recent } = await (await ask(
      `${service.url}/api/chain-data/metrics?metric=feesPaid&range=90d`,
    )).json();
    const whole = recent.filter(({ complete }: { complete: boolean }) =>
      complete
    );
    assertMatch(outputs[1]!, new RegExp(`count .* ${whole.length}\\.0`));
  },
});
