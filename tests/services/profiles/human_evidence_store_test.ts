/** Which accounts earned a number: by their lasting ids, or by handles where no id is known. */
import { assertEquals } from "@std/assert";
import {
  type HumanEvidence,
  readEvidence,
} from "../../../services/profiles/human_evidence_store.ts";
import type { VerifiedSocial } from "../../../services/profiles/profile.ts";

const accountOf = (id: string | null, handle = "ada"): VerifiedSocial => ({
  kind: "github",
  id,
  handle,
  verifiedAt: 0,
});

const OTHER = { number: 5, id: "1" } as const;

/** Reads the evidence of a profile whose accounts earned number 7, if any. */
const read = (kv: Deno.Kv, socials: readonly VerifiedSocial[]) =>
  readEvidence(kv, { socials, verifiedHuman: 7 });

Deno.test("readEvidence() takes an account as spent if another number rests on it", async () => {
  const cases: readonly [
    name: string,
    account: VerifiedSocial,
    stored: readonly [name: string, evidence: HumanEvidence][],
    isSpent: boolean,
  ][] = [
    ["nothing is stored", accountOf("1"), [], false],
    ["its id", accountOf("1"), [["#1", OTHER]], true],
    ["its handle and its id", accountOf("1"), [["@ada", OTHER]], true],
    ["its handle of another id", accountOf("2"), [["@ada", OTHER]], false],
    ["its handle, of no known id", accountOf("2"), [
      ["@ada", { number: 5, id: null }],
    ], true],
    [
      "its handle, its own id unknown",
      accountOf(null),
      [["@ada", OTHER]],
      true,
    ],
    ["its own number", accountOf("1"), [["#1", { number: 7, id: "1" }]], false],
    ["an id is no handle", accountOf(null, "1"), [["#1", OTHER]], false],
  ];
  for (const [name, account, stored, isSpent] of cases) {
    using kv = await Deno.openKv(":memory:");
    for (const [key, evidence] of stored) {
      await kv.set(["human_evidence", "github", key], evidence);
    }
    const { spent } = await read(kv, [account]);
    assertEquals(spent, isSpent ? ["github"] : [], name);
  }
});

Deno.test("check() refuses a commit after another number came to rest on a name", async () => {
  for (const name of ["#1", "@ada"]) {
    using kv = await Deno.openKv(":memory:");
    const { check } = await read(kv, [accountOf("1")]);
    await kv.set(["human_evidence", "github", name], OTHER);
    const atomic = kv.atomic();
    check(atomic);
    assertEquals((await atomic.commit()).ok, false, name);
  }
});

Deno.test("record() stores the number under each name of the accounts that are not spent", async () => {
  using kv = await Deno.openKv(":memory:");
  const spent: VerifiedSocial = { ...accountOf(null, "eve"), kind: "x" };
  await kv.set(["human_evidence", "x", "@eve"], OTHER);
  const { record } = await read(kv, [accountOf("1"), spent]);
  const atomic = kv.atomic();
  record(atomic, 7);
  await atomic.commit();
  const again = (id: string | null, verifiedHuman: number) =>
    readEvidence(kv, { socials: [accountOf(id), spent], verifiedHuman });
  assertEquals((await again("1", 7)).spent, ["x"], "another number keeps it");
  for (const id of ["1", null]) {
    assertEquals((await again(id, 5)).spent, ["github"], "by either name");
  }
});
