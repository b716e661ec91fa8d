/** Imports that are interrupted: kills, database errors and checkpoints. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { importProfiles } from "../../../services/profiles/profile_import.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { dyingAfter } from "../../support/jobs.ts";
import {
  dump,
  fileOf,
  importLines,
  type Line,
} from "../../support/profile_import.ts";

const address = (nth: number) => `0x${String(nth).padStart(40, "0")}`;
const [A, B, C] = [address(1), address(2), address(3)] as const;
const AT = "2026-10-01T12:00:00Z";

Deno.test("a killed import resumes and has the same result", async () => {
  const lines = Array.from(
    { length: 2_500 },
    (_, nth): Line =>
      nth % 200 === 7 ? "not JSON" : {
        address: address(nth),
        displayName: `Nr. ${nth}`,
        follows: [{ address: address(nth + 1), at: AT }],
      },
  );
  using whole = await testDeps();
  const expected = await importLines(whole, lines);
  assertEquals(expected.refusedCount, 13);

  using deps = await testDeps();
  const { profileImports } = deps.store;
  const dying = dyingAfter(1, profileImports.put);
  const dead = {
    ...deps,
    store: {
      ...deps.store,
      profileImports: { ...profileImports, put: dying.call },
    },
  };
  importProfiles(dead, fileOf(lines));
  await dying.died;
  const report = await importLines(deps, lines);
  assert(report.resumedAfter > 500 && report.resumedAfter < 1_500);
  assertEquals(report.lines, expected.lines);
  assertEquals(report.refused, expected.refused);
  assertEquals(report.refusedCount, expected.refusedCount);
  // These have names made by chance.
  const rooms = new Set<unknown>(["audit", "graph_changes"]);
  const data = async (held: TestDeps) =>
    (await dump(held)).filter(({ key }) => !rooms.has(key[0]))
      .map(({ key, value }) => ({ key, value }));
  assertEquals(await data(deps), await data(whole));
});

Deno.test("a database error ends the import and rejects no line", async () => {
  using deps = await testDeps();
  const store = {
    ...deps.store,
    profiles: {
      ...deps.store.profiles,
      change: () => Promise.reject(new Error("disk is full")),
    },
  };
  await assertRejects(
    () => importProfiles({ ...deps, store }, fileOf([{ address: A }])),
    Error,
    "disk is full",
  );
});

Deno.test("a checkpoint writes the follows before it, once", async () => {
  using deps = await testDeps();
  const lines = [
    { address: A, follows: [{ address: B, at: AT }] },
    // A profile counts as 41 units of work, and 40,000 make a checkpoint.
    ...Array.from({ length: 980 }, () => ({ address: C })),
  ];
  const checkpoints: number[] = [];
  const report = await importProfiles(
    deps,
    fileOf(lines),
    ({ lines }) => checkpoints.push(lines),
  );
  assertEquals(report.follows, { added: 1, unchanged: 0 });
  assertEquals(checkpoints, [977]);
});

Deno.test("a checkpoint comes with 40,000 units of work, of which each line and each follow is one", async () => {
  using deps = await testDeps();
  const { follows } = deps.store;
  const changeAll = () => Promise.resolve([]);
  const store = { ...deps.store, follows: { ...follows, changeAll } };
  const edges = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({
      address: address(nth + 10),
      at: 1,
    }));
  const whole = { address: A, follows: edges(7_999) };
  const checkpoints: number[] = [];
  await importProfiles(
    { ...deps, store },
    fileOf([...Array(4).fill(whole), { address: B, follows: edges(7_998) }, {
      address: C,
      follows: edges(1),
    }]),
    ({ lines }) => checkpoints.push(lines),
  );
  assertEquals(checkpoints, [6]);
});
