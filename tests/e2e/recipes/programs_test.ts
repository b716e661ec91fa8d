/** Recipes that are programs: a chat that posts disputes, and a workflow that refreshes a badge. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse as parseYaml } from "yaml";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { ROOT } from "../../support/processes/service.ts";
import {
  ask,
  openService,
  readExamples,
  run,
} from "../../support/recipes/recipe_service.ts";

Deno.test("a chat: each dispute is posted once, and a refusal loses none", async () => {
  await using service = await openService();
  const [program] = await readExamples("chat-feeds", {
    lang: "typescript",
    ...service,
  });
  const posted: string[] = [];
  let refusals = 0;
  const { finished, addr, shutdown } = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => {
      const { text, content } = await request.json();
      assertEquals(text, content);
      if (posted.length === 1 && refusals++ === 0) {
        return new Response(null, { status: 429 });
      }
      posted.push(text);
      return new Response("ok");
    },
  );
  const file = `${service.folder}/chat.ts`;
  await Deno.writeTextFile(file, program!);
  const imports = { "@firn/sdk": new URL("sdk/mod.ts", ROOT).href };
  await Deno.writeTextFile(
    `${service.folder}/deno.json`,
    JSON.stringify({ imports }),
  );
  const post = () =>
    run(Deno.execPath(), ["run", "-A", "--no-lock", file], {
      cwd: service.folder,
      env: { WEBHOOK_URL: `http://127.0.0.1:${addr.port}` },
    });
  const { disputes } = await (await ask(
    `${service.url}/api/chain-data/disputes`,
  )).json();
  assert(disputes.length > 1, `${disputes.length} disputes`);
  assertMatch((await post()).all, /The webhook answered 429/);
  assertEquals(posted.length, 1);
  const { code, all } = await post();
  assertEquals(code, 0, all);
  assertEquals((await post()).output, "");
  await shutdown();
  await finished;
  const expected = disputes.toReversed().map((
    { series, day }: Record<string, string>,
  ) => `${series} ${day}`);
  assertEquals(posted.map((text) => text.split(":")[0]), expected);
});

Deno.test("a workflow: the badge is committed when it has changed, and only then", async () => {
  await using service = await openService();
  const [text] = await readExamples("refresh-a-badge", {
    lang: "yaml",
    ...service,
  });
  const { on, permissions, jobs } = parseYaml(text!);
  assertEquals(Object.keys(on), ["schedule", "workflow_dispatch"]);
  assertEquals(permissions, { contents: "write" });
  const { env, steps } = jobs.badge;
  const origin = `${service.folder}/origin.git`;
  const work = `${service.folder}/work`;
  const git = async (...args: string[]) => {
    const { code, output, all } = await run("git", args, {
      cwd: service.folder,
    });
    assertEquals(code, 0, all);
    return output;
  };
  await git("init", "-q", "--bare", "--initial-branch=main", origin);
  await git("clone", "-q", origin, work);
  const author = ["-c", "user.name=x", "-c", "user.email=x@x"];
  await git("-C", work, "checkout", "-q", "-b", "main");
  await git("-C", work, ...author, "commit", "-q", "--allow-empty", "-m", "x");
  await git("-C", work, "push", "-q", "-u", "origin", "main");
  const runSteps = async (changes: Record<string, string> = {}) => {
    for (const { run: script } of steps) {
      if (script === undefined) continue;
      // As GitHub runs a step without a shell of its own.
      const { code, all } = await run("bash", ["-e", "-c", script], {
        cwd: work,
        env: { ...env, ...changes },
      });
      if (code !== 0) return all;
    }
    return "done";
  };
  const log = () => git("-C", origin, "log", "--format=%s", "main");
  const shown = () => git("-C", origin, "show", `main:${env.FILE}`);

  assertEquals(await runSteps(), "done");
  assertMatch(await shown(), /^<svg .*unrated/s);
  assertEquals(await runSteps(), "done");
  assertEquals(await log(), "Refresh the Firn badge\nx\n");

  // A score changes the badge. A failed download changes nothing.
  const { key } = await enrol(service.deps);
  const scored = exampleOf("heavy");
  const response = await fetch(`${service.url}/api/v1/score/${scored}`, {
    headers: { "X-Api-Key": key },
  });
  await response.body?.cancel();
  const badge = `${service.url}/api/tools/score-badge/`;
  assertEquals(await runSteps({ BADGE: badge + scored }), "done");
  assertEquals((await log()).split("\n").length, 4);
  assertMatch(await runSteps({ BADGE: `${badge}nobody` }), /400/);
  assertEquals((await log()).split("\n").length, 4);
});
