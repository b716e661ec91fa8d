/** Profiles written by two processes at the same time on one database. */
import { assertEquals } from "@std/assert";
import { newProfile } from "../../../services/profiles/profile.ts";
import { openStores } from "../../../services/stores.ts";
import { assertSound } from "../../support/kv/invariants.ts";
import { startProgram, until } from "../../support/processes/service.ts";

const COUNT = 500;
const AUDIT = { at: 0, event: "profile.update", requestId: null } as const;

const wallet = (nth: number) => `0x${String(nth).padStart(40, "0")}`;

/** Runs two workers at the same time on a database; returns the results of each. */
async function runBoth<T>(kvPath: string, what: string): Promise<[T[], T[]]> {
  const startFile = `${kvPath}.start`;
  // Two processes cannot create one database at the same time: it is locked for the second.
  (await Deno.openKv(kvPath)).close();
  await using stack = new AsyncDisposableStack();
  const workers = ["first", "second"].map((name) => {
    const program = ["run", "-A", "tests/support/processes/profile_worker.ts"];
    return stack.use(
      startProgram([...program, kvPath, startFile, what, name]),
    );
  });
  for (const worker of workers) {
    await until(worker, () => worker.output().includes("ready"));
  }
  await Deno.writeTextFile(startFile, "");
  const got = await Promise.all(workers.map(async ({ finish }) => {
    const { code, output } = await finish();
    assertEquals(code, 0, output);
    return JSON.parse(output.replace("ready\n", "")) as T[];
  }));
  return [got[0]!, got[1]!];
}

Deno.test("1,000 grants by two processes to 500 wallets give 500 numbers, 1 to 500", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const kvPath = `${folder}/kv.sqlite3`;
  {
    using kv = await Deno.openKv(kvPath);
    const { profiles } = openStores(kv);
    for (let nth = 0; nth < COUNT; nth++) {
      const profile = newProfile(0);
      await profiles.change(wallet(nth), () => ({ profile, audit: AUDIT }));
    }
  }
  const [first, second] = await runBoth<number>(kvPath, "numbers");
  assertEquals(first, second, "both got the same numbers");
  assertEquals(
    first.toSorted((a, b) => a - b),
    Array.from({ length: COUNT }, (_, nth) => nth + 1),
  );
  using kv = await Deno.openKv(kvPath);
  const { profiles } = openStores(kv);
  for (const [nth, number] of first.entries()) {
    assertEquals((await profiles.find(wallet(nth)))?.verifiedHuman, number);
    assertEquals((await kv.get(["humans", number])).value, wallet(nth));
  }
  await assertSound(kv);
});

Deno.test("each of 500 slugs and accounts goes to one of two processes", async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const kvPath = `${folder}/kv.sqlite3`;
  const [first, second] = await runBoth<string>(kvPath, "names");
  using kv = await Deno.openKv(kvPath);
  const { profiles } = openStores(kv);
  for (let nth = 0; nth < COUNT; nth++) {
    const kinds = [first[nth], second[nth]];
    assertEquals(
      kinds.filter((kind) => kind === "changed").length,
      1,
      `${kinds} of ${nth}`,
    );
    const winner = wallet(nth + (first[nth] === "changed" ? 1_000 : 2_000));
    const found = await profiles.findBySlug(`name-${nth}`);
    assertEquals(found?.address, winner);
    assertEquals(found?.profile.socials[0]?.handle, `h${nth}`);
  }
  await assertSound(kv);
});
