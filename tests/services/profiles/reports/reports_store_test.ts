/** Reports of profiles in the store: their counts, and what a decision changes. */
import { assertEquals } from "@std/assert";
import { newProfile } from "../../../../services/profiles/profile.ts";
import { openStores } from "../../../../services/stores.ts";

const [A, B] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`] as const;
const CLAIM = { at: 0, event: "profile.update", requestId: null } as const;

/** Opens a store in which A has a profile. */
async function open() {
  const kv = await Deno.openKv(":memory:");
  const { audit, profiles, reports } = openStores(kv);
  await profiles.change(A, () => ({ profile: newProfile(0), audit: CLAIM }));
  return {
    kv,
    reports,
    list: () => Array.fromAsync(reports.list()),
    hiddenAt: async () => (await profiles.find(A))?.hiddenAt,
    /** The events since the profile was claimed, newest first. */
    listEvents: async () =>
      (await audit.list(A)).slice(0, -1).map(({ event, at }) => [event, at]),
    unclaim: () => profiles.delete(A, { at: 1, requestId: null }),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("add() counts by reason, from the first report to the latest in any order, of claimed profiles only", async () => {
  using store = await open();
  const { reports, list } = store;
  assertEquals(await reports.add(B, "name", 5), false);
  assertEquals(await list(), []);
  const steps = [
    ["name", 50, { counts: { name: 1 }, firstAt: 50, lastAt: 50 }],
    ["name", 70, { counts: { name: 2 }, firstAt: 50, lastAt: 70 }],
    ["links", 60, { counts: { name: 2, links: 1 }, firstAt: 50, lastAt: 70 }],
  ] as const;
  for (const [reason, at, expected] of steps) {
    assertEquals(await reports.add(A, reason, at), true);
    assertEquals(await list(), [{ address: A, ...expected }]);
  }
});

Deno.test("add() reports nothing of a profile that is deleted meanwhile", async () => {
  using store = await open();
  const { kv, reports, list, unclaim } = store;
  const { getMany } = kv;
  kv.getMany = async (...args: unknown[]) => {
    const read = await getMany.apply(kv, args as never);
    kv.getMany = getMany;
    await unclaim();
    return read as never;
  };
  assertEquals(await reports.add(A, "name", 5), false);
  assertEquals(await list(), []);
});

Deno.test("decide() removes the reports, and writes an entry only if the profile is hidden or shown by it", async () => {
  using store = await open();
  const { reports } = store;
  const events: unknown[] = [];
  const steps = [
    ["dismiss", 1, undefined, null],
    ["hide", 2, 2, "profile.hide"],
    ["hide", 3, 2, null],
    ["dismiss", 4, undefined, "profile.show"],
    ["dismiss", 5, undefined, null],
  ] as const;
  for (const [decision, at, hiddenAt, event] of steps) {
    await reports.add(A, "other", at);
    assertEquals(await reports.decide(A, decision, at), true);
    assertEquals(await store.list(), []);
    assertEquals(await store.hiddenAt(), hiddenAt);
    if (event !== null) events.unshift([event, at]);
    assertEquals(await store.listEvents(), events);
  }
});

Deno.test("decide() removes the reports of a profile that was deleted, and says that there is none", async () => {
  using store = await open();
  const { reports, list } = store;
  await reports.add(A, "other", 1);
  await store.unclaim();
  assertEquals((await list()).length, 1);
  assertEquals(await reports.decide(A, "hide", 2), false);
  assertEquals(await list(), []);
  assertEquals((await store.listEvents())[0], ["profile.delete", 1]);
});
