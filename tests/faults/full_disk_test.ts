/** A full disk: reads work, writes fail with STORE_FULL and without a charge, and free space is enough to recover. */
import { assert, assertEquals } from "@std/assert";
import { exampleOf } from "../../simnet/accounts.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { enrol } from "../support/callers.ts";
import { START, testDeps } from "../support/deps.ts";
import { assertSoundFile } from "../support/kv/invariants.ts";
import { newOwner } from "../support/owners.ts";
import { startService } from "../support/processes/service.ts";
import {
  SMALL_DISK_SKIPPED,
  smallDiskOf,
  throughSmallDisk,
} from "../support/kv/small_disk.ts";

const MEGABYTES = 6;
const ADDRESS = exampleOf("ordinary");
const PUBLIC_URL = "http://firn.test";
const address = (nth: number) => `0x${nth.toString(16).padStart(40, "0")}`;

/** Requests that stored data answer. */
const READS = [
  "/",
  "/docs",
  "/api/chain-data/chains",
  "/api/chain-data/metrics",
  "/api/chain-data/validators",
  "/chart/txCount.svg",
  `/tools/score/${ADDRESS}`,
  `/tools/score/${address(0xabc)}`,
  `/api/tools/score-badge/${ADDRESS}`,
  `/api/tools/score-badge/${address(0xabd)}`,
  "/api/v1",
  "/api/v1/health",
  "/api/v1/usage",
  "/api/account",
];

/** Requests that write, or count units. */
const WRITES: [method: string, path: string, body?: object][] = [
  ["GET", `/api/v1/score/${ADDRESS}`],
  ["GET", `/api/v1/score/${address(1)}`],
  ["GET", `/api/v1/score/${ADDRESS}/history`],
  ["POST", "/api/v1/score/batch", { addresses: [ADDRESS] }],
  ["POST", "/api/account/challenges", { address: ADDRESS, action: "session" }],
  ["PUT", `/api/account/follows/${ADDRESS}`],
  ["PUT", "/api/account/profile", {
    displayName: "Ada",
    slug: null,
    linksPublic: true,
  }],
];

/** Creates a key and a session in a database; returns a function that sends requests with both. */
async function enter(kvPath: string) {
  using deps = await testDeps({ kvPath, settings: { PUBLIC_URL } });
  const { key } = await enrol(deps, { plan: "scale" });
  const owner = newOwner(deps);
  await owner.signIn();
  const cookie = owner.cookie();
  return async (url: string, method = "GET", body?: object) => {
    const headers = new Headers({ Origin: PUBLIC_URL, Cookie: cookie });
    if (new URL(url).pathname.startsWith("/api/v1")) {
      headers.set("X-Api-Key", key);
    }
    if (body) headers.set("Content-Type", "application/json");
    const text = body ? { body: JSON.stringify(body) } : {};
    const response = await fetch(url, { method, headers, ...text });
    const { status } = response;
    return { status, headers: response.headers, text: await response.text() };
  };
}

Deno.test({
  name:
    "on a full disk reads work, writes fail without a charge, and free space is enough to recover",
  ignore: SMALL_DISK_SKIPPED,
  async fn(t) {
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    stack.defer(() => Deno.remove(folder, { recursive: true }));
    const [seed, mounted] = [`${folder}/seed`, `${folder}/disk`];
    for (const each of [seed, mounted]) await Deno.mkdir(each);
    const ask = await enter(`${seed}/kv.sqlite3`);
    const simnet = stack.use(
      startSimnet({ now: () => new Date(START), chains: 3 }),
    );
    const service = stack.use(
      await startService({
        ...settingsOf(simnet),
        PUBLIC_URL,
        KV_PATH: `${mounted}/kv.sqlite3`,
        FIRN_NOW: START,
        // No job writes during the test.
        DENO_TIMELINE: "preview/test",
      }, {
        through: throughSmallDisk(mounted, { megabytes: MEGABYTES, seed }),
      }),
    );
    const disk = smallDiskOf(service.process, mounted);
    const used = async () =>
      JSON.parse((await ask(`${service.url}/api/v1/usage`)).text).used;
    const database = async () =>
      JSON.parse((await ask(`${service.url}/status.json`)).text).database
        .status;

    for (const path of READS) await ask(`${service.url}${path}`);
    for (const [method, path, body] of WRITES) {
      const { status, text } = await ask(`${service.url}${path}`, method, body);
      assertEquals(status, 200, `${path}: ${text}`);
    }
    await disk.fill();
    const before = await used();

    await t.step("stored data are still served", async () => {
      for (const path of READS) {
        const { status, text } = await ask(`${service.url}${path}`);
        assertEquals(status, 200, `${path}: ${text}`);
      }
    });
    await t.step("writes fail with STORE_FULL and Retry-After", async () => {
      for (const [method, path, body] of WRITES) {
        const answer = await ask(`${service.url}${path}`, method, body);
        const status = path.startsWith("/api/v1/") ? 500 : 503;
        assertEquals(answer.status, status, `${path}: ${answer.text}`);
        assertEquals(JSON.parse(answer.text).code, "STORE_FULL");
        assertEquals(answer.headers.get("Retry-After"), "60");
      }
      assertEquals(await used(), before);
      assertEquals(await database(), "readOnly");
    });
    await t.step(
      "with a few free pages, only successful requests are charged",
      async () => {
        let good = 0;
        for (let round = 0; round < 8; round++) {
          await disk.giveWay(4_096 * (1 + round % 3));
          const answers = await Promise.all(
            Array.from(
              { length: 6 },
              (_, nth) =>
                ask(
                  `${service.url}/api/v1/score/${address(100 * round + nth)}`,
                ),
            ),
          );
          for (const { status, text } of answers) {
            assert(status === 200 || status === 500, text);
            if (status === 200) {
              good++;
            }
          }
          assertEquals(await used(), before + good);
        }
      },
    );
    await t.step("with free space every request works again", async () => {
      await disk.clear();
      const before = await used();
      for (const [method, path, body] of WRITES) {
        const answer = await ask(`${service.url}${path}`, method, body);
        assertEquals(answer.status, 200, `${path}: ${answer.text}`);
      }
      assertEquals(await used(), before + 4);
      while (await database() !== "ok") await pause();
    });
    await t.step("the store keeps its invariants", async () => {
      await disk.copyOut("kv.sqlite3", folder);
      assert(await assertSoundFile(`${folder}/kv.sqlite3`) > 50);
    });
  },
});

/** Waits before the next look: the status is cached for five seconds. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 250));
}
