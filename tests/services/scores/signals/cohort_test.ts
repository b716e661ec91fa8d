/** Cohorts: how many members a wallet resembles, and which funder is a hub. */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import {
  alikeIn,
  isHub,
  MAX_MEMBERS,
  type Member,
  withMember,
} from "../../../../services/scores/signals/cohort.ts";

const NOW = 1_000 * DAY_MS;

/** A member whose first `same` of twenty uses are those of all others. */
const member = (
  address: string,
  { same = 20, fundedAt = NOW }: { same?: number; fundedAt?: number } = {},
): Member => ({
  address,
  fundedAt,
  behavior: new Uint32Array(64).map((_, nth) =>
    nth >= 40
      ? 0
      : nth % 2 === 1
      ? 5
      : nth < 2 * same
      ? 1
      : parseInt(address, 36)
  ),
});

const OWN = member("own");

Deno.test("alikeIn() counts a member by the share of uses that it had before: from a fifth to 35 %", () => {
  const cases: [same: number, alike: number][] = [
    [0, 0],
    [4, 0],
    [5, 1 / 3],
    [6, 2 / 3],
    [7, 1],
    [20, 1],
  ];
  for (const [same, alike] of cases) {
    const members = [member("x", { same })];
    assertAlmostEquals(alikeIn(OWN, { members }), alike, 1e-9, `${same}`);
  }
  const members = [member("x"), member("y", { same: 5 }), member("z")];
  assertAlmostEquals(alikeIn(OWN, { members }), 7 / 3, 1e-9);
});

Deno.test("alikeIn() counts only other members that were funded within 30 days, before or after", () => {
  const at = (days: number, ms = 0) =>
    member("x", { fundedAt: NOW + days * DAY_MS + ms });
  const alike = (...members: Member[]) => alikeIn(OWN, { members });
  assertEquals([alike(at(30)), alike(at(30, 1))], [1, 0]);
  assertEquals([alike(at(-30)), alike(at(-30, -1))], [1, 0]);
  assertEquals([alike(OWN), alike(OWN, at(0)), alike()], [0, 1, 0]);
  const short = { ...at(0), behavior: new Uint32Array(64) };
  assertEquals(alike(short), 0);
});

Deno.test("withMember() keeps the 48 members that were scored last, each once", () => {
  const all = Array.from({ length: 48 }, (_, nth) => member(`${nth}`));
  const addresses = (members: readonly Member[]) =>
    members.map(({ address }) => address);
  const next = withMember({ members: all }, member("new")).members;
  assertEquals(addresses(next), [...addresses(all).slice(1), "new"]);
  const again = withMember({ members: all }, member("7", { same: 2 })).members;
  assertEquals(addresses(again).at(-1), "7");
  assertEquals(again.length, 48);
  assertEquals(withMember({ members: [] }, OWN).members, [OWN]);
});

/** A full cohort over some days, of which the first members act alike. */
const cohort = (spanDays: number, alike: number, count = MAX_MEMBERS) => ({
  members: Array.from({ length: count }, (_, nth) =>
    member(`m${nth}`, {
      same: nth < alike ? 20 : 0,
      fundedAt: nth < alike
        ? NOW
        : NOW + spanDays * DAY_MS * (nth - alike + 1) / (count - alike),
    })),
});

Deno.test("isHub() is true for a full cohort over half a year with less than a tenth alike, and for known hubs", () => {
  assertEquals(isHub("0xa", null), false);
  assertEquals(isHub("0xa", cohort(180, 2)), true);
  assertEquals(isHub("0xa", cohort(180, 2, MAX_MEMBERS - 1)), false);
  assertEquals(isHub("0xa", cohort(179.9, 2)), false);
  assertEquals([4, 5].map((alike) => isHub("0xa", cohort(200, alike))), [
    true,
    false,
  ]);
  for (
    const hub of [
      "0x9f8c163cba728e99993abe7495f06c0a3c8ac8b9",
      "0x2fc617e933a52713247ce25730f6695920b3befe",
      "0x4c968f6beecf1906710b08e8b472b8ba6e75f957",
      "0xcdd37ada79f589c15bd4f8fd2083dc88e34a2af2",
    ]
  ) assertEquals(isHub(hub, null), true, hub);
});
