/** Two services on one database, one of the oldest version that may run beside this one, killed fifty times under load: nothing is lost. */
import { assert, assertEquals } from "@std/assert";
import { PLANS } from "../../services/payments/plans_schema.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { enrol } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";
import { addressOf } from "../support/graph.ts";
import { assertSoundFile } from "../support/kv/invariants.ts";
import {
  kill,
  ROOT,
  type RunningService,
  startService,
} from "../support/processes/service.ts";
import { seededRandom } from "../support/random.ts";

const KILLS = 50;
const CALLERS = 20;

/** Pause between the requests of a caller: below the burst limit of its key. */
const PAUSE_MS = 1_100;

const ADDRESSES = Array.from(
  { length: 8 },
  (_, nth) => exampleOf("ordinary", nth),
);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs git in this project, and returns what it prints. */
async function git(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command("git", {
    args,
    cwd: ROOT,
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

/** Unpacks the commit that gave the store its format. Returns its hash. */
async function unpackOldest(folder: string): Promise<string> {
  const file = "services/platform/kv/store_format.ts";
  const commit = await git(
    ...["log", "-1", "--format=%h", "-G^export const FORMAT = ", "--", file],
  );
  await git("archive", `--output=${folder}/old.tar`, commit);
  await Deno.mkdir(`${folder}/old`);
  const { code } = await new Deno.Command("tar", {
    args: ["-xf", `${folder}/old.tar`, "-C", `${folder}/old`],
  }).output();
  assertEquals(code, 0);
  return commit;
}

/** What the requests of a caller came to. */
interface Caller {
  readonly key: string;
  readonly wallet: string;
  readonly used: () => Promise<number>;
  answered: number;
  /** Requests without an answer: their process was killed. */
  unanswered: number;
}

Deno.test("this version and the oldest one of its format, killed fifty times under load, lose no unit and no record", async () => {
  const random = seededRandom("old_version_killed_test");
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const commit = await unpackOldest(folder);
  const simnet = stack.use(startSimnet({ now: () => new Date(), chains: 3 }));
  const kvPath = `${folder}/kv.sqlite3`;
  const settings = { ...settingsOf(simnet), KV_PATH: kvPath };
  using deps = await testDeps({
    kvPath,
    settings,
    start: new Date().toISOString(),
  });
  const callers: Caller[] = [];
  for (let nth = 0; nth < CALLERS; nth++) {
    const wallet = addressOf(nth + 1);
    const { key, used } = await enrol(deps, { plan: "scale", wallet });
    callers.push({ key, wallet, used, answered: 0, unanswered: 0 });
  }
  const roots = [`${folder}/old`, ROOT];
  const start = (nth: number) => startService(settings, { root: roots[nth]! });
  const services: RunningService[] = [await start(0), await start(1)];
  stack.defer(async () => {
    for (const service of services) await service[Symbol.asyncDispose]();
  });

  let isOver = false;
  const failures: string[] = [];
  const asking = callers.map(async (caller) => {
    while (!isOver) {
      const { url } = services[Math.floor(random() * services.length)]!;
      const address = ADDRESSES[Math.floor(random() * ADDRESSES.length)]!;
      try {
        const response = await fetch(`${url}/api/v1/score/${address}`, {
          headers: { "X-Api-Key": caller.key },
        });
        const text = await response.text();
        if (response.status === 200) caller.answered++;
        else failures.push(`${response.status} ${text}`);
      } catch {
        caller.unanswered++;
      }
      await pause(random() * 2 * PAUSE_MS);
    }
  });
  for (let nth = 0; nth < KILLS; nth++) {
    await pause(200 + random() * 500);
    const victim = services[nth % 2]!;
    kill(victim.process, "SIGKILL");
    assertEquals((await victim.process.status).signal, "SIGKILL");
    services[nth % 2] = await start(nth % 2);
  }
  isOver = true;
  await Promise.all(asking);
  for (const service of services) await service[Symbol.asyncDispose]();

  let answered = 0;
  for (const caller of callers) {
    const used = await caller.used();
    assert(
      caller.answered <= used && used <= caller.answered + caller.unanswered,
      `${used} units for ${caller.answered} answers and ${caller.unanswered} requests without one`,
    );
    assert(used < PLANS.scale.requests);
    answered += caller.answered;
  }
  for (const address of ADDRESSES) {
    const entry = await deps.store.scores.find(address);
    assert(entry !== null, `${address} was scored`);
  }
  assertEquals(failures.filter((text) => !text.startsWith("429")), []);
  await assertSoundFile(kvPath, Date.now());
  // deno-lint-ignore no-console -- it goes into bench/README.md.
  console.log(`beside ${commit}: ${answered} answers, ${KILLS} kills`);
});
