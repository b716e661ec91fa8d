/** One row for one more thing: a copy of the tree gets a metric, a reason and a page, compiles, and answers. */
import { assertEquals } from "@std/assert";
import type { MetricRule } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { ROOT } from "../support/processes/service.ts";

const METRIC: Omit<MetricRule, "notAdditive"> = {
  label: "Blobs",
  counted: "blobs",
  meaning: "blobs carried that day",
  unit: "count",
  kind: "per day",
  fold: "sum",
};

// @ts-expect-error -- a metric says whether the values of several chains add up.
const incomplete: MetricRule = METRIC;

/** What is inserted before a line of a file. */
interface Insertion {
  readonly file: string;
  readonly before: string;
  readonly text: string;
}

const METRIC_ROWS: Insertion[] = [{
  file: "services/chain_data/catalogue/metrics_schema.ts",
  before: "} as const satisfies Record<string, MetricRule>;",
  text: `  blobCount: ${JSON.stringify({ ...incomplete, notAdditive: null })},`,
}];

const REASON_ROWS: Insertion[] = [
  {
    file: "services/model/reasons_schema.ts",
    before: "} as const satisfies Record<string, ReasonRow>;",
    text:
      `  TRIED_BLOBS: ["positive", "activity", "Sent blobs", "The address has sent blobs."],`,
  },
  {
    file: "services/model/reasons.ts",
    before: "  NO_ONCHAIN_HISTORY: {",
    text: `  TRIED_BLOBS: { applies: () => false, impact: () => 0 },`,
  },
];

const PAGE = `import { newRouter } from "../http/router.ts";
const blobs = () => newRouter().get("/blobs", (c) => c.html("Blobs"));
export { blobs };
`;

const PAGE_ROWS: Insertion[] = [
  {
    file: "routes/app.ts",
    before: 'import { staticFiles } from "./pages/static_files.ts";',
    text: 'import { blobs } from "./docs/blobs.ts";',
  },
  {
    file: "routes/app.ts",
    before: '  app.route("/static", staticFiles());',
    text: '  app.route("/", blobs());',
  },
];

/** What the copy is asked. */
const PROBE = `
import { createApp } from "./routes/app.ts";
import { testDeps } from "./tests/support/deps.ts";
using deps = await testDeps();
const app = createApp(deps);
const read = async (path) => await (await app.request(path)).json();
const { metrics, parameters } = await read("/api/chain-data");
const { reasons } = await read("/api/v1");
const { paths } = await read("/openapi.json");
const metric = paths["/api/chain-data/metrics"].get.parameters
  .find(({ name }) => name === "metric");
console.log(JSON.stringify({
  catalogue: metrics.find(({ metric }) => metric === "blobCount"),
  parameter: parameters.metric.includes("blobCount"),
  documented: metric.schema.enum.includes("blobCount"),
  explorer: (await (await app.request("/chart/blobCount.svg")).text()).length > 0,
  reason: JSON.stringify(reasons).includes("Sent blobs"),
  page: await (await app.request("/blobs")).text(),
}));
Deno.exit();
`;

async function run(folder: string | URL, command: string, ...args: string[]) {
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder();
  return { success, out: text.decode(stdout), err: text.decode(stderr) };
}

Deno.test("a metric is one row, a reason is two, and a page is its router and two lines", async () => {
  const folder = await Deno.makeTempDir({ prefix: "firn_additions_" });
  try {
    const listed = await run(ROOT, "git", "ls-files");
    const copied = listed.out.trim().split("\n").join("\0");
    await Deno.writeTextFile(`${folder}/.files`, copied);
    await run(
      ROOT,
      "sh",
      "-c",
      `tar --null -cf - -T ${folder}/.files | tar -xf - -C ${folder}`,
    );
    for (
      const { file, before, text } of [
        ...METRIC_ROWS,
        ...REASON_ROWS,
        ...PAGE_ROWS,
      ]
    ) {
      const source = await Deno.readTextFile(`${folder}/${file}`);
      assertEquals(source.split(before).length, 2, `${file}: ${before}`);
      await Deno.writeTextFile(
        `${folder}/${file}`,
        source.replace(before, () => `${text}\n${before}`),
      );
    }
    await Deno.writeTextFile(`${folder}/routes/docs/blobs.ts`, PAGE);
    await Deno.writeTextFile(`${folder}/probe.ts`, PROBE);
    const lock = "--lock=tests/deno.lock";
    const deno = Deno.execPath();
    const checked = await run(folder, deno, "check", "-q", lock, "main.ts");
    assertEquals([checked.success, checked.err], [true, ""]);
    const asked = await run(
      folder,
      deno,
      "run",
      "-A",
      "--no-check",
      lock,
      "probe.ts",
    );
    assertEquals(asked.success, true, asked.err);
    assertEquals(JSON.parse(asked.out), {
      catalogue: {
        metric: "blobCount",
        meaning: METRIC.meaning,
        unit: "count",
        kind: "per day",
        aggregation: "sum",
        summable: true,
      },
      parameter: true,
      documented: true,
      explorer: true,
      reason: true,
      page: "Blobs",
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
