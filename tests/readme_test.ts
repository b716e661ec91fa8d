/** README.md says nothing that is not so. */
import { assert, assertEquals } from "@std/assert";
import { JOBS } from "../jobs/schedule.ts";
import { createApp } from "../routes/app.ts";
import { testDeps } from "./support/deps.ts";

const ROOT = new URL("../", import.meta.url);
const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
const readme = await read("README.md");
const config = JSON.parse(await read("deno.json"));

Deno.test("the README's curl gives the README's answer", async () => {
  const [, path] = readme.match(/curl 'http:\/\/localhost:8000([^']+)'/)!;
  const [, shown] = readme.match(/```json\n([^`]+)```/)!;
  using deps = await testDeps();
  const response = await createApp(deps).request(path!);
  assertEquals(await response.json(), JSON.parse(shown!));
});

Deno.test("the README names every task, job, endpoint, setting and dependency", async () => {
  using deps = await testDeps();
  const about = await createApp(deps).request("/api/chain-data");
  const { endpoints } = await about.json();
  const settings = (await read(".env.example")).matchAll(
    /^(?:# )?([A-Z_]+)=/gm,
  );
  const names = [
    ...Object.keys(config.tasks).map((task) => `\`deno task ${task}`),
    ...JOBS.map(({ name }) => `\`${name}\``),
    ...endpoints.map(({ path }: { path: string }) => `| \`${path}\``),
    ...settings.map(([, name]) => `| \`${name}\``),
    ...Object.keys(config.imports).filter((name) => !name.endsWith("/"))
      .map((name) => `\`${name}\``),
  ];
  const absent = names.filter((name) => !readme.includes(name));
  assertEquals(absent, []);
});

Deno.test("every task that the README names is there", () => {
  const named = readme.matchAll(/(?:deno|deno@[\d.]+) task ([a-z:-]+)/g);
  for (const [, task] of named) assert(config.tasks[task!], task);
});
