/** Cohorts: which members a wallet is tied to, and which account is a hub. */
import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../services/platform/days.ts";
import {
  isHub,
  type Member,
  tiesIn,
  withMember,
} from "../../../../services/scores/signals/cohort.ts";

const NOW = 1_000 * DAY_MS;

const member = (
  address: string,
  fundedAt = NOW,
  sweptTo: string | null = "0xbank",
): Member => ({ address, fundedAt, sweptTo });

const OWN = member("own");

Deno.test("tiesIn() counts others with the same sweep target that were funded within the 30 days before", () => {
  const at = (days: number, ms = 0) => member("x", NOW + days * DAY_MS + ms);
  const ties = (...members: Member[]) => tiesIn(OWN, { members });
  assertEquals([ties(at(-30)), ties(at(-30, -1))], [1, 0]);
  assertEquals([ties(at(0)), ties(at(0, 1))], [1, 0]);
  assertEquals([ties(), ties(OWN), ties(OWN, at(0), member("y"))], [0, 0, 2]);
  assertEquals(ties(member("x", NOW, "0xother"), member("y", NOW, null)), 0);
  const unswept = member("own", NOW, null);
  assertEquals(tiesIn(unswept, { members: [member("x", NOW, null)] }), 0);
});

Deno.test("tiesIn() is 0 if the funder paid two dozen unrelated wallets", () => {
  const unrelated = (count: number) =>
    Array.from(
      { length: count },
      (_, nth) => member(`${nth}`, NOW, nth % 2 === 0 ? null : `0x${nth}`),
    );
  const tied = [member("x"), member("y")];
  const ties = (count: number) =>
    tiesIn(OWN, { members: [...tied, ...unrelated(count)] });
  assertEquals([ties(23), ties(24)], [2, 0]);
});

Deno.test("withMember() keeps the 48 members that were scored last, each once", () => {
  const all = Array.from({ length: 48 }, (_, nth) => member(`${nth}`));
  const addresses = (members: readonly Member[]) =>
    members.map(({ address }) => address);
  const next = withMember({ members: all }, member("new")).members;
  assertEquals(addresses(next), [...addresses(all).slice(1), "new"]);
  const again = withMember({ members: all }, member("7", NOW, null)).members;
  assertEquals(again.at(-1), member("7", NOW, null));
  assertEquals(again.length, 48);
});

Deno.test("isHub() is true for contracts, and from 100,000 transactions on", () => {
  const hub = (nonce: number, isContract = false) =>
    isHub({ nonce, isContract });
  assertEquals([hub(99_999), hub(100_000), hub(1, true)], [false, true, true]);
});
