/** The steps of the guide to Deno Deploy, over a hosted database: from the first check to the way out. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { exampleOf } from "../../simnet/accounts.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import {
  ACCESS_TOKEN,
  startKvConnect,
} from "../support/kv_connect/kv_connect.ts";
import {
  freePort,
  startOperator,
  startProgram,
  startService,
  untilAnswers,
} from "../support/processes/service.ts";

const CHECK = ["run", "--no-prompt", "--allow-env", "--allow-net"]
  .concat("--allow-read=.", "deploy_check.ts");

Deno.test("the guide to Deno Deploy works over a hosted database: checks, store init, first key, and the way out", async () => {
  using server = await startKvConnect();
  await using simnet = startSimnet();
  const folder = await Deno.makeTempDir();
  const hosted = {
    KV_PATH: server.newDatabase(),
    DENO_KV_ACCESS_TOKEN: ACCESS_TOKEN,
  };
  const port = freePort();
  const url = `http://localhost:${port}`;
  const app = {
    ...hosted,
    ...settingsOf(simnet),
    PORT: String(port),
    PUBLIC_URL: url,
    DENO_DEPLOY: "1",
  };
  const operate = async (
    settings: Record<string, string>,
    ...args: string[]
  ) => {
    await using running = startOperator(settings, ...args);
    const { code, output } = await running.finish();
    assertEquals(code, 0, output);
    return output;
  };
  const check = async (...args: string[]) => {
    const settings = { ...hosted, PUBLIC_URL: "https://firn.example" };
    await using running = startProgram([...CHECK, ...args], settings);
    return (await running.finish()).output;
  };
  const score = async (url: string, key: string) => {
    const headers = { "X-Api-Key": key };
    const path = `/api/v1/score/${exampleOf("ordinary")}`;
    const response = await fetch(url + path, { headers });
    await response.body?.cancel();
    return response.status;
  };

  const noId = "WRONG  the database has a store id: run deno task operator";
  assertStringIncludes(await check(), noId);
  {
    await using service = startProgram(["run", "-A", "main.ts"], app);
    await untilAnswers(`${url}/live`, service);
    const found = await check(url);
    assertStringIncludes(found, "WRONG  the process answers: /live is a 503");
    assertStringIncludes(found, "store init");
  }

  await operate(hosted, "store", "init");
  assertStringIncludes(await check(), "ok     the database has a store id");
  const wallet = `0x${"ab".repeat(20)}`;
  const [key = ""] = (await operate(hosted, "key", "create", wallet))
    .match(/firn_live_\w+$/m) ?? [];
  {
    await using service = startProgram(["run", "-A", "main.ts"], app);
    await untilAnswers(`${url}/live`, service);
    assertEquals(await score(url, key), 200);
    const found = await check(url);
    for (const name of ["the process answers", "links name its address"]) {
      assertStringIncludes(found, `ok     ${name}`);
    }
    assertStringIncludes(found, "WRONG  its pages are sent over https");
  }

  const file = `${folder}/firn.ndjson`;
  await operate(hosted, "export", file);
  const own = { KV_PATH: `${folder}/firn.sqlite3` };
  await operate(own, "import", file, "--keep-keys");
  await using moved = await startService({ ...own, ...settingsOf(simnet) });
  assertEquals(await score(moved.url, key), 200);
  const sound = await operate(own, "check-store");
  assert(/ 0 rules broken$/m.test(sound), sound);
  await Deno.remove(folder, { recursive: true });
});
