/** The profile store and its unique names. */
import { assertEquals } from "@std/assert";
import type { SocialKind } from "../../../services/model/score_terms_schema.ts";
import {
  newProfile,
  type Profile,
  type VerifiedSocial,
} from "../../../services/profiles/profile.ts";
import { openStores } from "../../../services/stores.ts";
import {
  type HumanEvidence,
  readEvidence,
} from "../../../services/profiles/profiles_store.ts";

const AUDIT = { at: 0, event: "profile.update", requestId: null } as const;

const address = (nth: number) => `0x${nth.toString(16).padStart(40, "0")}`;
const [A, B] = [address(1), address(2)] as const;

function social(
  kind: SocialKind,
  handle: string,
  id: string | null = null,
): VerifiedSocial {
  return { kind, handle, id, verifiedAt: 0 };
}

/** Opens a store, and writes profiles in it. */
async function openProfiles() {
  const kv = await Deno.openKv(":memory:");
  const { profiles } = openStores(kv);
  return {
    kv,
    profiles,
    async write(whose: string, fields: Partial<Profile>): Promise<string> {
      const changed = await profiles.change(whose, (held) => ({
        profile: { ...held ?? newProfile(0), ...fields },
        audit: AUDIT,
      }));
      return changed.kind;
    },
    /** Lists the names that are taken, and by whom. */
    async names(): Promise<string[]> {
      const listed: string[] = [];
      for (const room of ["slugs", "socials"]) {
        for await (
          const { key, value } of kv.list<{ address: string }>({
            prefix: [room],
          })
        ) listed.push(`${key.slice(1).join("/")}: ${Number(value.address)}`);
      }
      return listed;
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a slug and its look-alikes belong to one profile until it is released", async () => {
  using store = await openProfiles();
  const { profiles, write } = store;
  assertEquals(await write(A, { slug: "alice" }), "changed");
  assertEquals(await write(B, { slug: "alice" }), "slugTaken");
  assertEquals(await write(B, { slug: "a1-ice" }), "slugTaken");
  assertEquals(await profiles.find(B), null, "a refusal claims nothing");
  assertEquals((await profiles.findBySlug("alice"))?.address, A);
  assertEquals(await profiles.findBySlug("a1ice"), null);

  assertEquals(await write(A, { slug: "al-ice" }), "changed");
  assertEquals((await profiles.findBySlug("al-ice"))?.address, A);
  assertEquals(await write(A, { slug: "carol" }), "changed");
  assertEquals(await write(B, { slug: "alice" }), "changed");
  assertEquals(await write(A, { slug: null }), "changed");
  assertEquals(await profiles.findBySlug("carol"), null);
  assertEquals(await store.names(), ["allce: 2"]);
});

Deno.test("one of a hundred concurrent claims of a slug succeeds", async () => {
  using store = await openProfiles();
  const outcomes = await Promise.all(
    Array.from(
      { length: 100 },
      (_, nth) =>
        store.write(address(nth), { slug: nth % 2 ? "alice" : "a1ice" }),
    ),
  );
  assertEquals(outcomes.filter((kind) => kind === "changed").length, 1);
  assertEquals(outcomes.filter((kind) => kind === "slugTaken").length, 99);
  const winner = outcomes.indexOf("changed");
  assertEquals(await store.names(), [`allce: ${winner}`]);
});

Deno.test("a linked account belongs to one profile, by id and by handle", async (t) => {
  const cases: [
    name: string,
    first: VerifiedSocial,
    second: VerifiedSocial,
    outcome: string,
  ][] = [
    [
      "the same id, renamed",
      social("github", "ada", "7"),
      social("github", "ada2", "7"),
      "socialTaken",
    ],
    [
      "the same handle, brought in without an id",
      social("github", "ada", "7"),
      social("github", "ada"),
      "socialTaken",
    ],
    [
      "the same handle, first brought in without an id",
      social("github", "ada"),
      social("github", "ada", "7"),
      "socialTaken",
    ],
    [
      "a handle that was given up and taken by another account",
      social("github", "ada", "7"),
      social("github", "ada", "8"),
      "changed",
    ],
    [
      "one mailbox with a tag",
      social("email", "ada@example.com"),
      social("email", "ada+2@example.com"),
      "socialTaken",
    ],
    [
      "the same handle elsewhere",
      social("x", "ada"),
      social("telegram", "ada"),
      "changed",
    ],
  ];
  for (const [name, first, second, outcome] of cases) {
    await t.step(name, async () => {
      using store = await openProfiles();
      assertEquals(await store.write(A, { socials: [first] }), "changed");
      assertEquals(await store.write(B, { socials: [second] }), outcome);
      assertEquals(
        (await store.profiles.find(B))?.socials,
        outcome === "changed" ? [second] : undefined,
      );
    });
  }
});

Deno.test("an unlinked account is free, and a transferred handle stays with its new holder", async () => {
  using store = await openProfiles();
  await store.write(A, { socials: [social("github", "ada", "7")] });
  await store.write(B, { socials: [social("github", "ada", "8")] });
  assertEquals(await store.names(), [
    "github/#7: 1",
    "github/#8: 2",
    "github/@ada: 2",
  ]);
  await store.write(A, { socials: [] });
  assertEquals(await store.names(), ["github/#8: 2", "github/@ada: 2"]);
  await store.write(B, { socials: [] });
  assertEquals(await store.names(), []);
});

Deno.test("an account keeps its handle when its id becomes known", async () => {
  using store = await openProfiles();
  await store.write(A, { socials: [social("github", "ada")] });
  await store.write(A, { socials: [social("github", "ada", "7")] });
  assertEquals(await store.names(), ["github/#7: 1", "github/@ada: 1"]);
});

Deno.test("a null change writes nothing, not even an audit entry", async () => {
  using store = await openProfiles();
  const changed = await store.profiles.change(A, () => null);
  assertEquals(changed, { kind: "unchanged", profile: null });
  assertEquals(await Array.fromAsync(store.kv.list({ prefix: [] })), []);
});

Deno.test("delete() removes a hundred pending proofs of domains, and leaves the others to their expiry", async () => {
  using store = await openProfiles();
  const { kv, profiles } = store;
  await store.write(A, {});
  const claim = { token: "token", expiresAt: 1 };
  await kv.set(["domain_claims", B, "example.com"], claim);
  for (let nth = 0; nth < 101; nth++) {
    await kv.set(["domain_claims", A, `${nth}.example.com`], claim);
  }
  assertEquals(await profiles.delete(A, AUDIT), true);
  const left = await Array.fromAsync(
    kv.list({ prefix: ["domain_claims"] }),
    ({ key }) => key[1],
  );
  assertEquals(left, [A, B]);
});

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
